import type { Task } from './reconciler.ts';

/**
 * Interval in milliseconds for copies of new database log segments. If the server is lost, the changes since the last
 * copied segment are lost.
 */
const LOG_LOOK_MS = 30_000;

/**
 * Maximum time in milliseconds between two checks for due backups. One timer is not enough, because someone may set the
 * server's clock.
 */
const LOOK_MS = 60_000;

/**
 * Starts due backups and verifications.
 * @param runDue starts the due work; returns the milliseconds until the next backup or verification
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
