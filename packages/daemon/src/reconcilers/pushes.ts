import type { Task } from './reconciler.ts';

/**
 * Finds pushed images for which Davit got no notification from the registry. The registry loses unsent notifications
 * when its process ends.
 * @param look compares all tags in the registry with the database
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
