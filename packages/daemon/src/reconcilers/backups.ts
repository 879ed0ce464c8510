import type { Task } from './reconciler.ts';

/**
 * Time in milliseconds between two passes that store database logs. New data of a database may exist only in the
 * database for this long, plus the delay of the server itself.
 */
const LOG_LOOK_MS = 30_000;

/**
 * Maximum time in milliseconds between two checks for due backups. A check needs such a maximum because the clock can
 * be set forward or back.
 */
const LOOK_MS = 60_000;

/**
 * Takes due backups, and verifies backups that are due for a verification.
 * @param runDue starts what is due and returns the milliseconds until the next due time
 */
export function backupsTask(runDue: () => Promise<number | undefined>): Task {
  return { name: 'backups', everyMs: LOOK_MS, run: runDue };
}

/** Copies the log segments that databases have written to their backup destination. */
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
