import type { Task } from './reconciler.ts';

/**
 * Removes containers, networks and database rows of deleted apps that the deletion request could not remove. For
 * example, Docker or HAProxy was unavailable, or the daemon stopped.
 * @param remove does the removal. It is part of the deployment runner, because it must first cancel deployments of
 * these apps.
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
