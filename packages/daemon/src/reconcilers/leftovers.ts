import { RegistryUnavailable } from '../adapters/registry/registry.ts';
import type { Task } from './reconciler.ts';

const LOOK_MS = 60_000;
const AWAY_MS = 5_000;

/**
 * Deletes images of a deleted app from the registry. Needed because a new app may have the same name as the deleted
 * app.
 * @param remove deletes some of these images. Returns the time in milliseconds until the next call, or `undefined` if
 * no such images remain.
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
