/** Settings of a PostgreSQL server whose log is archived for point-in-time recovery. */

/** Folder in the server's data folder for archived segments that wait. Base backups leave out a folder of this name. */
export const WAITING = 'pgsql_tmp_davit';

/** Time in seconds after which the server finishes a segment, even if the segment is almost empty. */
const TIMEOUT_S = 300;

/**
 * Archive command, which the server runs in its data folder with its own placeholders.
 * The server recycles a segment after the command succeeds. Therefore the copy and its name must be on the disk by then.
 * If the server asks again, for example after a power loss, the new copy replaces the earlier one.
 */
const COMMAND = [
  `mkdir -p ${WAITING}`,
  `cp %p ${WAITING}/.%f`,
  `sync ${WAITING}/.%f`,
  `mv ${WAITING}/.%f ${WAITING}/%f`,
  `sync ${WAITING} .`,
].join(' && ');

/** Further arguments of the server. */
export const ARCHIVING: readonly string[] = [
  ...['-c', 'archive_mode=on', '-c', `archive_timeout=${TIMEOUT_S}`],
  ...['-c', `archive_command=${COMMAND}`],
];
