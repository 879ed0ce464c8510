/** Settings of a PostgreSQL server whose WAL is archived for point-in-time recovery. */

/**
 * Folder in the data folder for WAL segments that are not archived yet. `pg_basebackup` omits folders whose names begin
 * with `pgsql_tmp`.
 */
export const WAITING = 'pgsql_tmp_davit';

/**
 * Time in seconds after which PostgreSQL starts a new WAL file, even if the current file is almost empty. Only complete
 * files are archived.
 */
const TIMEOUT_S = 300;

/**
 * PostgreSQL setting `archive_command`. It copies a WAL segment and syncs the copy, because PostgreSQL may then
 * overwrite the segment.
 */
const COMMAND = [
  `mkdir -p ${WAITING}`,
  `cp %p ${WAITING}/.%f`,
  `sync ${WAITING}/.%f`,
  `mv ${WAITING}/.%f ${WAITING}/%f`,
  `sync ${WAITING} .`,
].join(' && ');

/** Server arguments that switch on WAL archiving. */
export const ARCHIVING: readonly string[] = [
  ...['-c', 'archive_mode=on', '-c', `archive_timeout=${TIMEOUT_S}`],
  ...['-c', `archive_command=${COMMAND}`],
];
