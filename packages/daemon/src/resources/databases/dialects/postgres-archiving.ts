/** Settings of a PostgreSQL server whose WAL is archived for point-in-time recovery. */

/**
 * Folder for archived WAL segments until Davit stores them at the backup destination. The folder is in the data
 * folder. Its name begins with `pgsql_tmp`, because `pg_basebackup` omits such folders.
 */
export const WAITING = 'pgsql_tmp_davit';

/**
 * Time in seconds after which PostgreSQL starts a new write-ahead log (WAL) file, even if the current file is almost
 * empty. Davit archives only complete files.
 */
const TIMEOUT_S = 300;

/**
 * PostgreSQL setting `archive_command`. It copies a WAL segment (a file of the transaction log) and syncs the copy to
 * the disk, because PostgreSQL may then overwrite the segment. If PostgreSQL repeats the command, the new copy replaces
 * the old copy.
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
