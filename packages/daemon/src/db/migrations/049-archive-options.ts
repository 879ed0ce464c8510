/**
 * Changes the stored server options of databases that archive WAL. Replaces the server arguments with `archives: true`.
 * These databases then use the arguments of the current Davit version.
 */
export const archiveOptions = `
UPDATE databases SET options = '{"archives":true}'
  WHERE json_type(options) = 'array' AND json_extract(options, '$[1]') = 'archive_mode=on';
`;
