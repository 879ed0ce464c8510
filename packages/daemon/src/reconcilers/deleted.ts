import type { Task } from './reconciler.ts';

/**
 * Removes the remaining containers, networks and database rows of deleted apps. They remain if Docker or HAProxy was
 * unavailable during the deletion, or if the daemon stopped.
 * @param remove removes them. It is a function of the deployment runner, because deployments of these apps must be
 * canceled first.
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
