import type { Task } from './reconciler.ts';

/** How long what happened in a database may be nowhere but there, beside what its server itself waits. */
const LOG_LOOK_MS = 30_000;

/** Clocks are put forward and back: what is due is looked for at least this often, whatever the last look said. */
const LOOK_MS = 60_000;

/**
 * Takes backups when their time comes, and tries those that are to be tried.
 * @param runDue begins what is due; answers in how many milliseconds the next one is
 */
export function backupsTask(runDue: () => Promise<number | undefined>): Task {
  return { name: 'backups', everyMs: LOOK_MS, run: runDue };
}

/** Takes along what databases have written into their logs. */
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
