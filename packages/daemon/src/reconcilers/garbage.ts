import type { Task } from './reconciler.ts';

/**
 * Maximum time in milliseconds between two checks of the garbage collection schedule. Needed because the server's clock
 * and the schedule can change at any time.
 */
const LOOK_MS = 60_000;

/**
 * Runs the garbage collection of the instance's registry at its scheduled times.
 * @param collectDue runs a due garbage collection, and returns the time in milliseconds until the next one
 */
export function garbageTask(collectDue: () => Promise<number>): Task {
  return { name: 'garbage', everyMs: LOOK_MS, run: collectDue };
}
