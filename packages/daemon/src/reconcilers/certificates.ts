import type { Task } from './reconciler.ts';

/**
 * Orders and renews TLS certificates.
 * @param run returns the milliseconds until the next work
 */
export function certificatesTask(run: (signal: AbortSignal) => Promise<number | undefined>): Task {
  return { name: 'certificates', everyMs: 60_000, run };
}
