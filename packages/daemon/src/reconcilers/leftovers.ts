import { RegistryUnavailable } from '../adapters/registry/registry.ts';
import type { Task } from './reconciler.ts';

const LOOK_MS = 60_000;
const AWAY_MS = 5_000;

/**
 * Deletes images of a deleted app from the registry if a new app has the same name.
 * @param remove deletes some of these images. It returns the time in milliseconds until it must be called again, or
 * `undefined` if no such images remain.
 */
export function leftoversTask(remove: () => Promise<number | undefined>): Task {
  return {
    name: 'leftovers',
    everyMs: LOOK_MS,
    async run() {
      try {
        return await remove();
      } catch (error) {
        // Reports no problem, because the registry's reconciler already reports that the registry is unavailable.
        if (error instanceof RegistryUnavailable) return AWAY_MS;
        throw error;
      }
    },
  };
}
