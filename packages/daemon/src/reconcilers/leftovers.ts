import { RegistryUnavailable } from '../adapters/registry/registry.ts';
import type { Task } from './reconciler.ts';

const LOOK_MS = 60_000;
const AWAY_MS = 5_000;

/**
 * Removes registry images of a deleted app if a new app has the same name. Otherwise, users of the new app could read
 * the old images.
 * @param remove function that returns the milliseconds until the next call
 */
export function leftoversTask(remove: () => Promise<number | undefined>): Task {
  return {
    name: 'leftovers',
    everyMs: LOOK_MS,
    async run() {
      try {
        return await remove();
      } catch (error) {
        // Another reconciler already reports that the registry is unavailable. So only try again later.
        if (error instanceof RegistryUnavailable) return AWAY_MS;
        throw error;
      }
    },
  };
}
