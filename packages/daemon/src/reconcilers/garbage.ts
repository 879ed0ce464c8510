import type { Task } from './reconciler.ts';

/**
 * Maximum time in milliseconds between two checks of the garbage collection schedule, because the clock and the
 * settings can change.
 */
const LOOK_MS = 60_000;

/**
 * Runs the garbage collection of the instance's registry at its scheduled times.
 * @param collectDue collects if the time has come, and returns the milliseconds until the next time
 */
export function garbageTask(collectDue: () => Promise<number>): Task {
  return { name: 'garbage', everyMs: LOOK_MS, run: collectDue };
}
