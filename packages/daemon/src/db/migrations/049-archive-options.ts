/**
 * Changes the stored options of databases that archive their WAL. The options contained a list of arguments for the
 * database server. This migration replaces them with `archives: true`, so that each database gets the arguments of the
 * current Davit version.
 */
export const archiveOptions = `
UPDATE databases SET options = '{"archives":true}'
  WHERE json_type(options) = 'array' AND json_extract(options, '$[1]') = 'archive_mode=on';
`;
