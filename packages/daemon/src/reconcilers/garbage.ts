import type { Task } from './reconciler.ts';

/** Maximum time in milliseconds between two checks of the next collection time, because clocks and settings change. */
const LOOK_MS = 60_000;

/**
 * Runs the garbage collection of the registry at its scheduled times.
 * @param collectDue collects if a collection is due, and returns the milliseconds until the next collection
 */
export function garbageTask(collectDue: () => Promise<number>): Task {
  return { name: 'garbage', everyMs: LOOK_MS, run: collectDue };
}
