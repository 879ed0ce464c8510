import type { Task } from './reconciler.ts';

/** Interval at which the maintenance window and interrupted roll-outs are checked. */
const LOOK_MS = 60_000;

/**
 * Keeps the images that Davit builds up to date with the newest packages. Updates the databases that run from these
 * images in the maintenance window.
 */
export function platformImagesTask(keep: () => Promise<void>): Task {
  return {
    name: 'platform-images',
    everyMs: LOOK_MS,
    async run() {
      await keep();
      return undefined;
    },
  };
}
