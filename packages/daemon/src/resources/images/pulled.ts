import {
  allPulledImages,
  forgetPulled,
  isNeededByDeployment,
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
 * Saves the id of a pulled image in its database row. If Docker had the image before the pull, there is no row, and
 * nothing is saved. Davit must not remove such an image later.
 */
export function endPull({ store }: Pick<ImagesDeps, 'store'>, reference: string, imageId: string): void {
  store.tx((tx) => setPulledImage(tx, reference, imageId));
}

/**
 * Saves the name `repository@digest` of an image that a user pushed from this server to the instance's registry. Davit
 * may later remove this name from Docker. The tag that the user pushed is not saved, because Davit must not remove it.
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
 * Returns the pulled images that are no longer needed. Each result contains the name and the id of an image.
 * @param isNeeded returns whether Davit still needs the image with this id and name
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
 * Compares the names of pulled images in SQLite with the names in Docker, and deletes rows without a matching image.
 * Such rows remain after a failed or interrupted pull, or if a user removed the name from Docker.
 */
export async function settlePulled({ engine, store, facts, now }: Parts & Pick<ImagesDeps, 'facts'>): Promise<void> {
  for (const { reference, image_id } of allPulledImages(store)) {
    if (isNeededByDeployment(store, reference)) continue;
    const found = await engine.findImage(reference);
    if (found !== null && image_id !== null) continue;
    store.tx((tx) => {
      // Read the database row again, because a pull may have started or ended since the lookup in Docker.
      if (isNeededByDeployment(tx, reference) || pulledImage(tx, reference)?.image_id !== image_id) return;
      if (found !== null && isOwnManifest(facts, reference)) recordPulled(tx, { reference, image_id: found.id }, now());
      // Delete the image's database row, because Davit did not pull the image or Docker no longer has it.
      else forgetPulled(tx, reference);
    });
  }
}

/**
 * Returns whether an image name contains a digest and belongs to the instance's registry. The database row of such an
 * image must stay as long as the image is in Docker. Without the row, a deployment would not verify the image.
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
    // Keep the image's database row if the image id changed. A deployment may be pulling the image again.
    if (pulledImage(tx, reference)?.image_id === imageId) forgetPulled(tx, reference);
  });
  return true;
}
