import type { Task } from './reconciler.ts';

/** Clocks are put forward and back: what is due is looked for at least this often, whatever the last look said. */
const LOOK_MS = 60_000;

/**
 * Runs schedules when their time comes.
 * @param runDue runs those whose time has come; answers in how many milliseconds the next one is due
 */
export function schedulesTask(runDue: () => Promise<number | undefined>): Task {
  return { name: 'schedules', everyMs: LOOK_MS, run: runDue };
}
