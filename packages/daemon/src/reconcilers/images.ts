import { removeUnneededImages } from '../resources/images/collection.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/**
 * Releases images in Docker that no live release, no rollback target and no unfinished deployment needs. Images that
 * do not belong to Davit stay.
 */
export function imagesTask(base: ReconcilersDeps): Task {
  return {
    name: 'images',
    everyMs: 10 * 60_000,
    async run() {
      await removeUnneededImages(base);
      return undefined;
    },
  };
}
