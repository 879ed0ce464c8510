import type { Task } from './reconciler.ts';

/**
 * Removes the containers, networks and database rows that an interrupted deletion of apps has left.
 * @param remove function that first cancels the deployments of these apps
 */
export function deletedTask(remove: () => Promise<void>): Task {
  return {
    name: 'deleted',
    everyMs: 60_000,
    async run() {
      await remove();
      return undefined;
    },
  };
}
