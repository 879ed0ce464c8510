import type { Task } from './reconciler.ts';

/**
 * Takes down what is marked deleted and could not be when it was: the engine or the proxy was away, or the daemon ended.
 * @param remove the deployment runner's, which first ends what an app's deployments are doing
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
