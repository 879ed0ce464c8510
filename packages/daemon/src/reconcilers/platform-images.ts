import type { Task } from './reconciler.ts';

/**
 * Interval in milliseconds between two runs. A run checks the maintenance window and continues interrupted updates of
 * images.
 */
const LOOK_MS = 60_000;

/**
 * Rebuilds the images that Davit builds itself when newer packages are available. In the maintenance window, restarts
 * databases with an outdated image.
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
