import type { Task } from './reconciler.ts';

/** Clocks and settings change: the next time is looked at so often. */
const LOOK_MS = 60_000;

/**
 * Has the registry collected at its times.
 * @param collectDue collects when it is time; answers in how many milliseconds the next time is
 */
export function garbageTask(collectDue: () => Promise<number>): Task {
  return { name: 'garbage', everyMs: LOOK_MS, run: collectDue };
}
