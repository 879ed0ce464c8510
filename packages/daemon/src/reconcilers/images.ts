import { removeUnneededImages } from '../resources/images/collection.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/**
 * Removes Davit's tags from Docker images that no live release, rollback or unfinished deployment needs. Does not
 * change other programs' images.
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
