/**
 * Updates the stored options of databases that archive their WAL. The options contained a list of server arguments.
 * They now contain only `archives: true`, so the database server always gets the arguments of the current Davit
 * version.
 */
export const archiveOptions = `
UPDATE databases SET options = '{"archives":true}'
  WHERE json_type(options) = 'array' AND json_extract(options, '$[1]') = 'archive_mode=on';
`;
