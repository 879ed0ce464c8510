import type { Task } from './reconciler.ts';

/**
 * Milliseconds between two copies of new database logs to the backup destination. If the server is lost, this much new
 * data can be lost, plus the time until the database writes its log.
 */
const LOG_LOOK_MS = 30_000;

/**
 * Maximum time in milliseconds between two checks for due backups. The time until the next backup is not enough,
 * because the server's clock can be set.
 */
const LOOK_MS = 60_000;

/**
 * Starts due backups, and due verifications of backups.
 * @param runDue starts them and returns the milliseconds until the next due time
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
