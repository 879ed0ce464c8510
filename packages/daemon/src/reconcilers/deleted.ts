import type { Task } from './reconciler.ts';

/**
 * Removes what an interrupted deletion of apps has left: containers, networks and database rows.
 * @param remove first cancels the deployments of these apps
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
