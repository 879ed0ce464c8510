/** Settings of a PostgreSQL server whose WAL (write-ahead log) is archived for point-in-time recovery. */

/**
 * Folder in the data folder for WAL segments (parts of the write-ahead log) that are not archived yet. `pg_basebackup`
 * omits folders whose names begin with `pgsql_tmp`.
 */
export const WAITING = 'pgsql_tmp_davit';

/**
 * Time in seconds after which PostgreSQL starts a new WAL file (write-ahead log), even if the current file is almost
 * empty. PostgreSQL archives only complete files.
 */
const TIMEOUT_S = 300;

/**
 * PostgreSQL setting `archive_command`. The command copies a WAL segment (part of the write-ahead log) and writes the
 * copy to the disk with `fsync`. Afterwards, PostgreSQL may overwrite the segment.
 */
const COMMAND = [
  `mkdir -p ${WAITING}`,
  `cp %p ${WAITING}/.%f`,
  `sync ${WAITING}/.%f`,
  `mv ${WAITING}/.%f ${WAITING}/%f`,
  `sync ${WAITING} .`,
].join(' && ');

/** Server arguments that enable WAL archiving (write-ahead log). */
export const ARCHIVING: readonly string[] = [
  ...['-c', 'archive_mode=on', '-c', `archive_timeout=${TIMEOUT_S}`],
  ...['-c', `archive_command=${COMMAND}`],
];
