import {
  allPulledImages,
  forgetPulled,
  isAskedFor,
  pulledImage,
  recordPulled,
  setPulledImage,
} from '../../db/tables/pulled-image.ts';
import { imageReference, isOwnImage } from '../../image-references/own-registry.ts';
import type { ImagesDeps } from './deps.ts';

type Parts = Pick<ImagesDeps, 'engine' | 'store' | 'now'>;

/**
 * Inserts a pulled image into SQLite before the pull starts. After a crash during the pull, the garbage collection can
 * then find the image.
 */
export async function beginPull({ engine, store, now }: Parts, reference: string, signal: AbortSignal): Promise<void> {
  if (await engine.findImage(reference, signal)) return;
  store.tx((tx) => recordPulled(tx, { reference, image_id: null }, now()));
}

/**
 * Saves the id of a pulled image. An image name that existed before the pull has no row in SQLite and gets none. It
 * belongs to another program.
 */
export function endPull({ store }: Pick<ImagesDeps, 'store'>, reference: string, imageId: string): void {
  store.tx((tx) => setPulledImage(tx, reference, imageId));
}

/**
 * Saves the name by digest of an image in the instance's registry. Docker creates this name in addition to the pushed
 * name when it pushes an image. The pushed name belongs to the user.
 */
export function claimManifest(
  { store, now }: Pick<ImagesDeps, 'store' | 'now'>,
  reference: string,
  imageId: string,
): void {
  if (pulledImage(store, reference)?.image_id === imageId) return;
  store.tx((tx) => recordPulled(tx, { reference, image_id: imageId }, now()));
}

/**
 * Returns the pulled image names that nothing needs any more.
 * @param isNeeded returns whether an image or its name is still needed
 */
export function unneededPulled(
  { store }: Pick<ImagesDeps, 'store'>,
  isNeeded: (imageId: string, reference: string) => boolean,
): { reference: string; imageId: string }[] {
  return allPulledImages(store).flatMap(({ reference, image_id }) =>
    image_id === null || isNeeded(image_id, reference) ? [] : [{ reference, imageId: image_id }],
  );
}

/**
 * Compares the pulled image names in SQLite with the engine, because failed or interrupted pulls leave rows. If a user
 * removed a name from the engine, its row is deleted.
 */
export async function settlePulled({ engine, store, facts, now }: Parts & Pick<ImagesDeps, 'facts'>): Promise<void> {
  for (const { reference, image_id } of allPulledImages(store)) {
    if (isAskedFor(store, reference)) continue;
    const found = await engine.findImage(reference);
    if (found !== null && image_id !== null) continue;
    store.tx((tx) => {
      // A pull may have started or ended since the check.
      if (isAskedFor(tx, reference) || pulledImage(tx, reference)?.image_id !== image_id) return;
      if (found !== null && isOwnManifest(facts, reference)) recordPulled(tx, { reference, image_id: found.id }, now());
      // Either the engine does not have the name, or another program created it. A pull by Davit would have saved an
      // image id.
      else forgetPulled(tx, reference);
    });
  }
}

/**
 * Returns whether an image name is a name by digest in the instance's registry. Docker creates this name during a pull,
 * before it has verified the image. The row must stay while the engine has the name. Without the row, a deployment
 * would treat the image as pushed from the server and skip the verification.
 */
function isOwnManifest(facts: ImagesDeps['facts'], reference: string): boolean {
  return isOwnImage(facts, reference) && imageReference(facts, reference)?.digest !== null;
}

/**
 * Removes an image name from the engine. If a container uses the image, the row in SQLite stays, so that the next
 * garbage collection tries again.
 * @returns whether the name was removed
 */
export async function dropPulled({ engine, store }: Parts, reference: string, imageId: string): Promise<boolean> {
  if (!(await engine.untagImage(reference, imageId))) return false;
  store.tx((tx) => {
    // A deployment may have started to pull the image since the removal.
    if (pulledImage(tx, reference)?.image_id === imageId) forgetPulled(tx, reference);
  });
  return true;
}
