import type { Task } from './reconciler.ts';

/**
 * Maximum time in milliseconds between two checks for due schedules. A timer until the next schedule is not enough,
 * because someone may set the server's clock.
 */
const LOOK_MS = 60_000;

/**
 * Starts the runs of schedules whose time has come.
 * @param runDue function that starts these runs. Returns the number of milliseconds until the next schedule must run
 */
export function schedulesTask(runDue: () => Promise<number | undefined>): Task {
  return { name: 'schedules', everyMs: LOOK_MS, run: runDue };
}
