import type { Task } from './reconciler.ts';

/** Interval in milliseconds at which the maintenance window is checked and interrupted updates continue. */
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
