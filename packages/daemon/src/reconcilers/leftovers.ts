import { RegistryUnavailable } from '../adapters/registry/registry.ts';
import type { Task } from './reconciler.ts';

const LOOK_MS = 60_000;
const AWAY_MS = 5_000;

/**
 * Frees the repositories of new apps from what earlier apps of their names left.
 * @param remove answers in how many milliseconds there is more to be removed; undefined: there is none
 */
export function leftoversTask(remove: () => Promise<number | undefined>): Task {
  return {
    name: 'leftovers',
    everyMs: LOOK_MS,
    async run() {
      try {
        return await remove();
      } catch (error) {
        // The registry's own reconciler tells of that.
        if (error instanceof RegistryUnavailable) return AWAY_MS;
        throw error;
      }
    },
  };
}
