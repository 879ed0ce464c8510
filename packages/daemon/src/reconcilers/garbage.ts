import type { Task } from './reconciler.ts';

/**
 * Maximum time in milliseconds between two checks of the schedule. The server's clock and the schedule can change at
 * any time.
 */
const LOOK_MS = 60_000;

/**
 * Runs the garbage collection of the registry at the scheduled times.
 * @param collectDue function that runs a due garbage collection and returns the milliseconds until the next one
 */
export function garbageTask(collectDue: () => Promise<number>): Task {
  return { name: 'garbage', everyMs: LOOK_MS, run: collectDue };
}
