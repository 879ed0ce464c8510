import type { Task } from './reconciler.ts';

/**
 * Interval in milliseconds between copies of new database log segments. If the server is lost, all changes after the
 * last copied segment are lost.
 */
const LOG_LOOK_MS = 30_000;

/**
 * Maximum time in milliseconds between two checks for due backups. A single timer is not enough, because the server's
 * clock can be changed.
 */
const LOOK_MS = 60_000;

/**
 * Starts due backups and verifications.
 * @param runDue function that starts them and returns the milliseconds until the next backup or verification
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
