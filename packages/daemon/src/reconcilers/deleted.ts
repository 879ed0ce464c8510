import type { Task } from './reconciler.ts';

/**
 * Removes containers, networks and rows of deleted apps that could not be removed during the API request. The engine
 * or HAProxy may have been unavailable, or the daemon may have stopped.
 * @param remove removes them. The deployment runner implements it, because it must cancel their deployments first.
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
