import type { Task } from './reconciler.ts';

/**
 * Finds what was pushed and never told: notifications are lost with the registry's process.
 * @param look compares every tag of the registry with what is known
 */
export function pushesTask(look: () => Promise<void>): Task {
  return {
    name: 'pushes',
    everyMs: 30_000,
    async run() {
      await look();
      return undefined;
    },
  };
}
