import type { Task } from './reconciler.ts';

/**
 * Removes containers, networks and database rows of deleted apps if the API request for the deletion could not remove
 * them. Possible reasons: Docker or HAProxy was unavailable, or the daemon stopped.
 * @param remove removes them. The deployment runner implements it, because it must first cancel deployments of the
 * deleted apps.
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
