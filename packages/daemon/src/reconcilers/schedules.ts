import type { Task } from './reconciler.ts';

/**
 * Maximum time in milliseconds between two checks for due schedules. A timer until the next schedule is not enough,
 * because someone may set the server's clock.
 */
const LOOK_MS = 60_000;

/**
 * Returns the reconciler that starts the scheduled runs when they are due.
 * @param runDue function that starts the due runs. Returns the number of milliseconds until the next run is due
 */
export function schedulesTask(runDue: () => Promise<number | undefined>): Task {
  return { name: 'schedules', everyMs: LOOK_MS, run: runDue };
}
