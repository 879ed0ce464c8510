import type { Task } from './reconciler.ts';

/**
 * Finds pushed images whose notifications were lost when the registry process ended.
 * @param look function that compares all tags in the registry with the database
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
