import type { Task } from './reconciler.ts';

/**
 * Maximum time in milliseconds between two checks for due schedules. A timer until the next schedule is not enough,
 * because someone may set the server's clock.
 */
const LOOK_MS = 60_000;

/**
 * Starts the runs of due schedules.
 * @param runDue starts these runs, and returns the time in milliseconds until the next schedule is due
 */
export function schedulesTask(runDue: () => Promise<number | undefined>): Task {
  return { name: 'schedules', everyMs: LOOK_MS, run: runDue };
}
