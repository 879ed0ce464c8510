import type { Task } from './reconciler.ts';

/**
 * Removes the remaining containers, networks and database rows of deleted apps. They remain if the deletion of the app
 * was interrupted, for example because Docker was unavailable.
 * @param remove function of the deployment runner that removes them. It first cancels the deployments of these apps
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
