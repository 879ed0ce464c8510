/** Settings of a PostgreSQL server whose WAL is archived for point-in-time recovery. */

/**
 * Folder for archived WAL segments until Davit stores them at the backup destination. It is in the data folder.
 * `pg_basebackup` omits folders whose names begin with `pgsql_tmp`.
 */
export const WAITING = 'pgsql_tmp_davit';

/** Time in seconds after which PostgreSQL finishes a WAL segment, even if the segment is almost empty. */
const TIMEOUT_S = 300;

/**
 * PostgreSQL setting `archive_command`. PostgreSQL recycles a WAL segment after the command succeeds. Therefore the
 * command syncs the copy and its name to the disk first. If PostgreSQL repeats the command, for example after a power
 * loss, the new copy replaces the earlier one.
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
