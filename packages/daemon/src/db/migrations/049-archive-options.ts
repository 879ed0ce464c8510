/**
 * A database whose log is archived stores only this fact, not the arguments of its server. The server then starts with
 * the archive command of the present version.
 */
export const archiveOptions = `
UPDATE databases SET options = '{"archives":true}'
  WHERE json_type(options) = 'array' AND json_extract(options, '$[1]') = 'archive_mode=on';
`;
