import type { Task } from './reconciler.ts';

/** Interval at which the maintenance window and interrupted roll-outs are checked. */
const LOOK_MS = 60_000;

/** Keeps platform images on the newest packages, and the databases that run from them in the maintenance window. */
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
