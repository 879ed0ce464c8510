import type { Task } from './reconciler.ts';

/**
 * Maximum time in milliseconds between two checks for due schedules. The time until the next schedule is not enough,
 * because the server's clock can be set.
 */
const LOOK_MS = 60_000;

/**
 * Starts the runs of due schedules.
 * @param runDue starts them and returns the milliseconds until the next schedule is due
 */
export function schedulesTask(runDue: () => Promise<number | undefined>): Task {
  return { name: 'schedules', everyMs: LOOK_MS, run: runDue };
}
