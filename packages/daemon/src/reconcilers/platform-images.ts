import type { Task } from './reconciler.ts';

/**
 * Interval in milliseconds at which Davit checks whether the maintenance window has started. Each check also continues
 * interrupted image updates.
 */
const LOOK_MS = 60_000;

/**
 * Reconciler for images that Davit builds. It builds the images again when newer packages are available. In the
 * maintenance window, it also restarts databases that use an old image.
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
