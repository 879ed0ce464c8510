import type { Core } from '../core/core.ts';
import { heldBy } from '../engine/names.ts';
import { needsImage } from '../store/releases.ts';
import type { Task } from './reconciler.ts';

/** How many releases of an app stay to be gone back to. */
export const ROLLBACK_RELEASES = 10;

/** Lets go of the images that no live release, no rollback target and no unfinished deployment needs. Only tags of ours. */
export function imagesTask(core: Core): Task {
  return {
    name: 'images',
    everyMs: 10 * 60_000,
    async run() {
      for (const tag of await core.engine.heldImages()) {
        if (!needsImage(core.store, heldBy(tag), ROLLBACK_RELEASES)) await core.engine.releaseImage(tag);
      }
      return undefined;
    },
  };
}
