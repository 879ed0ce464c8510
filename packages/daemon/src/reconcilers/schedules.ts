import type { Task } from './reconciler.ts';

/**
 * Maximum time in milliseconds between two checks for due schedules. A single timer is not enough, because the server's
 * clock can be changed.
 */
const LOOK_MS = 60_000;

/**
 * Returns the reconciler that starts scheduled runs.
 * @param runDue function that starts due runs and returns the milliseconds until the next run
 */
export function schedulesTask(runDue: () => Promise<number | undefined>): Task {
  return { name: 'schedules', everyMs: LOOK_MS, run: runDue };
}
