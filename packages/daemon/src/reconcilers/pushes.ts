import type { Task } from './reconciler.ts';

/**
 * Finds pushes without a notification. Notifications are lost when the process of the registry ends.
 * @param look compares every tag of the registry with the recorded tags
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
