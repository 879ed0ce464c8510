import type { Task } from './reconciler.ts';

/**
 * Maximum time in milliseconds between two checks for due schedules. One timer is not enough, because someone may set
 * the server's clock.
 */
const LOOK_MS = 60_000;

/**
 * Returns the reconciler that starts scheduled runs.
 * @param runDue starts due runs; returns the milliseconds until the next run
 */
export function schedulesTask(runDue: () => Promise<number | undefined>): Task {
  return { name: 'schedules', everyMs: LOOK_MS, run: runDue };
}
