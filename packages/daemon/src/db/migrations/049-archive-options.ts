/**
 * Changes the stored options of databases whose WAL is archived. The options contained server arguments and now contain
 * only `archives: true`, so that the database server starts with the archive command of the current Davit version.
 */
export const archiveOptions = `
UPDATE databases SET options = '{"archives":true}'
  WHERE json_type(options) = 'array' AND json_extract(options, '$[1]') = 'archive_mode=on';
`;
