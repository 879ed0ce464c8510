import type { Task } from './reconciler.ts';

/**
 * Removes the parts of deleted resources that could not be removed at the time of the deletion. The engine or the proxy
 * was unavailable then, or the daemon stopped.
 * @param remove removes them. The deployment runner provides this function, because it first ends the deployments of an
 * app.
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
