/**
 * Replaces the stored server arguments of databases that archive WAL with `archives: true`. These databases then get
 * the arguments of the current Davit version.
 */
export const archiveOptions = `
UPDATE databases SET options = '{"archives":true}'
  WHERE json_type(options) = 'array' AND json_extract(options, '$[1]') = 'archive_mode=on';
`;
