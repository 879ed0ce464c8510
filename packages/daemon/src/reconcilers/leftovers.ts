import { RegistryUnavailable } from '../adapters/registry/registry.ts';
import type { Task } from './reconciler.ts';

const LOOK_MS = 60_000;
const AWAY_MS = 5_000;

/**
 * Deletes the contents that earlier apps left in repositories of new apps with the same name.
 * @param remove returns the milliseconds until there is more to remove, or `undefined` if there is nothing more
 */
export function leftoversTask(remove: () => Promise<number | undefined>): Task {
  return {
    name: 'leftovers',
    everyMs: LOOK_MS,
    async run() {
      try {
        return await remove();
      } catch (error) {
        // The reconciler of the registry reports this problem.
        if (error instanceof RegistryUnavailable) return AWAY_MS;
        throw error;
      }
    },
  };
}
