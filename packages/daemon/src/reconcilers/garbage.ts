import type { Task } from './reconciler.ts';

/**
 * Maximum time in milliseconds between two checks of the schedule, because the server's clock and the schedule can
 * change at any time.
 */
const LOOK_MS = 60_000;

/**
 * Runs the garbage collection of the registry at the scheduled times.
 * @param collectDue returns the time in milliseconds until the next garbage collection
 */
export function garbageTask(collectDue: () => Promise<number>): Task {
  return { name: 'garbage', everyMs: LOOK_MS, run: collectDue };
}
