import type { Task } from './reconciler.ts';

/**
 * Interval in milliseconds at which new log segments of databases are copied to the backup destination. If the server
 * is lost, the changes of the last interval are lost. Changes that the database has not written to a segment yet are
 * also lost.
 */
const LOG_LOOK_MS = 30_000;

/**
 * Maximum time in milliseconds between two checks for due backups. A timer until the next backup is not enough, because
 * someone may set the server's clock.
 */
const LOOK_MS = 60_000;

/**
 * Starts backups and verifications of backups when they are due.
 * @param runDue starts the due backups and verifications. Returns the time in milliseconds until the next one is due.
 */
export function backupsTask(runDue: () => Promise<number | undefined>): Task {
  return { name: 'backups', everyMs: LOOK_MS, run: runDue };
}

/** Copies new log segments of databases to their backup destination, for point-in-time recovery. */
export function databaseLogsTask(keep: (signal: AbortSignal) => Promise<void>): Task {
  return {
    name: 'database-logs',
    everyMs: LOG_LOOK_MS,
    async run(signal) {
      await keep(signal);
      return undefined;
    },
  };
}
