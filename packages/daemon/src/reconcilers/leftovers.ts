import { RegistryUnavailable } from '../adapters/registry/registry.ts';
import type { Task } from './reconciler.ts';

const LOOK_MS = 60_000;
const AWAY_MS = 5_000;

/**
 * Deletes the images of deleted apps from the registry, because a new app with the same name must not get them.
 * @param remove function that deletes some of these images. Returns the number of milliseconds to wait before the next
 * call, or `undefined` if all images are deleted
 */
export function leftoversTask(remove: () => Promise<number | undefined>): Task {
  return {
    name: 'leftovers',
    everyMs: LOOK_MS,
    async run() {
      try {
        return await remove();
      } catch (error) {
        // Another reconciler already reports that the registry is unavailable, so this one only tries again later.
        if (error instanceof RegistryUnavailable) return AWAY_MS;
        throw error;
      }
    },
  };
}
