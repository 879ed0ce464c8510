import type { Task } from './reconciler.ts';

/**
 * Orders and renews TLS certificates.
 * @param run function that orders due certificates. Returns the milliseconds until the next certificate is due.
 */
export function certificatesTask(run: (signal: AbortSignal) => Promise<number | undefined>): Task {
  return { name: 'certificates', everyMs: 60_000, run };
}
