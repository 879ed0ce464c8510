/**
 * Updates the stored options of databases with WAL archiving. Replaces the list of server arguments with `archives:
 * true`. The database server then starts with the archive command of the current Davit version.
 */
export const archiveOptions = `
UPDATE databases SET options = '{"archives":true}'
  WHERE json_type(options) = 'array' AND json_extract(options, '$[1]') = 'archive_mode=on';
`;
