import { heldBy } from '../engine/names.ts';
import type { Base } from '../release/base.ts';
import { needsImage } from '../store/releases.ts';
import type { Task } from './reconciler.ts';

/** How many releases of an app stay to be gone back to. */
export const ROLLBACK_RELEASES = 10;

/** Lets go of the images that no live release, no rollback target and no unfinished deployment needs. Only tags of ours. */
export function imagesTask(base: Base): Task {
  return {
    name: 'images',
    everyMs: 10 * 60_000,
    async run() {
      for (const tag of await base.engine.heldImages()) {
        if (!needsImage(base.store, heldBy(tag), ROLLBACK_RELEASES)) await base.engine.releaseImage(tag);
      }
      return undefined;
    },
  };
}
