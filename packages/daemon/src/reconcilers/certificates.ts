import type { Task } from './reconciler.ts';

/**
 * Orders and renews certificates.
 * @param run answers in how many milliseconds there is more to do
 */
export function certificatesTask(run: (signal: AbortSignal) => Promise<number | undefined>): Task {
  return { name: 'certificates', everyMs: 60_000, run };
}
