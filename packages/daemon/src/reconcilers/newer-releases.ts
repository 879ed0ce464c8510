import type { Task } from './reconciler.ts';

/** Checks the template catalog for newer releases of installed templates. */
export function newerReleasesTask(look: (signal: AbortSignal) => Promise<void>): Task {
  return {
    name: 'newer-releases',
    everyMs: 60 * 60_000,
    async run(signal) {
      await look(signal);
      return undefined;
    },
  };
}
