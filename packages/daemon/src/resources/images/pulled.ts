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
 * Inserts a row for an image into the database before its pull starts. If a crash interrupts the pull, the garbage
 * collection can find the image.
 */
export async function beginPull({ engine, store, now }: Parts, reference: string, signal: AbortSignal): Promise<void> {
  if (await engine.findImage(reference, signal)) return;
  store.tx((tx) => recordPulled(tx, { reference, image_id: null }, now()));
}

/**
 * Saves the id of a pulled image in the image's database row. If the image name already existed before the pull, it
 * belongs to another program, and has no row.
 */
export function endPull({ store }: Pick<ImagesDeps, 'store'>, reference: string, imageId: string): void {
  store.tx((tx) => setPulledImage(tx, reference, imageId));
}

/**
 * Saves the digest name of an image that was pushed to the instance's registry from this server. During a push, Docker
 * creates this name in addition to the pushed name. Davit does not save the pushed name, because it belongs to the
 * user.
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
 * Returns the names of pulled images that are no longer needed.
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
 * Compares the names of pulled images in the database with the names in Docker. Failed or interrupted pulls, and names
 * that a user removed from Docker, leave database rows. These rows are deleted.
 */
export async function settlePulled({ engine, store, facts, now }: Parts & Pick<ImagesDeps, 'facts'>): Promise<void> {
  for (const { reference, image_id } of allPulledImages(store)) {
    if (isAskedFor(store, reference)) continue;
    const found = await engine.findImage(reference);
    if (found !== null && image_id !== null) continue;
    store.tx((tx) => {
      // Check the row again, because another pull may have started or ended since the image was looked up.
      if (isAskedFor(tx, reference) || pulledImage(tx, reference)?.image_id !== image_id) return;
      if (found !== null && isOwnManifest(facts, reference)) recordPulled(tx, { reference, image_id: found.id }, now());
      // Delete the row, because Davit has not pulled this image. After a pull by Davit, the row contains an image id.
      else forgetPulled(tx, reference);
    });
  }
}

/**
 * Returns whether an image name with a digest belongs to the instance's registry. Docker creates such a name during a
 * pull, before it has verified the image. The database row must stay as long as Docker has the name. Without the row, a
 * deployment would treat the image as pushed from the server, and skip the verification.
 */
function isOwnManifest(facts: ImagesDeps['facts'], reference: string): boolean {
  return isOwnImage(facts, reference) && imageReference(facts, reference)?.digest !== null;
}

/**
 * Removes an image name from Docker. If a container uses the image, the database row stays, so that the next garbage
 * collection tries again.
 * @returns whether the name was removed
 */
export async function dropPulled({ engine, store }: Parts, reference: string, imageId: string): Promise<boolean> {
  if (!(await engine.untagImage(reference, imageId))) return false;
  store.tx((tx) => {
    // Keep a changed row, because a deployment may have started to pull the image after the name was removed.
    if (pulledImage(tx, reference)?.image_id === imageId) forgetPulled(tx, reference);
  });
  return true;
}
