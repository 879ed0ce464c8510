import type { Base } from '../release/base.ts';
import { collectImages } from '../release/collection.ts';
import type { Task } from './reconciler.ts';

/** Lets go of the images that no live release, no rollback target and no unfinished deployment needs. Only what is ours. */
export function imagesTask(base: Base): Task {
  return {
    name: 'images',
    everyMs: 10 * 60_000,
    async run() {
      await collectImages(base);
      return undefined;
    },
  };
}
