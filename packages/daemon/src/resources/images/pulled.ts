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
 * Inserts a row for an image into the database before the image is pulled. If a crash interrupts the pull, the garbage
 * collection can find the image.
 */
export async function beginPull({ engine, store, now }: Parts, reference: string, signal: AbortSignal): Promise<void> {
  if (await engine.findImage(reference, signal)) return;
  store.tx((tx) => recordPulled(tx, { reference, image_id: null }, now()));
}

/**
 * Saves the id of a pulled image. Does nothing if Docker had the image before the pull, because Davit must not remove
 * such an image later.
 */
export function endPull({ store }: Pick<ImagesDeps, 'store'>, reference: string, imageId: string): void {
  store.tx((tx) => setPulledImage(tx, reference, imageId));
}

/**
 * Saves that Davit may remove the name `repository@digest` of an image. The image was pushed from this server, so Davit
 * must keep the image's tag.
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
 * Returns the names and ids of pulled images that are no longer needed.
 * @param isNeeded whether Davit needs the image
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
 * Deletes rows of pulled images that Docker does not have. Such rows remain if a pull failed, or if a user removed the
 * image name from Docker.
 */
export async function settlePulled({ engine, store, facts, now }: Parts & Pick<ImagesDeps, 'facts'>): Promise<void> {
  for (const { reference, image_id } of allPulledImages(store)) {
    if (isNeededByDeployment(store, reference)) continue;
    const found = await engine.findImage(reference);
    if (found !== null && image_id !== null) continue;
    store.tx((tx) => {
      // Read the image's row again. A pull of the image may have started or ended since the request to Docker.
      if (isNeededByDeployment(tx, reference) || pulledImage(tx, reference)?.image_id !== image_id) return;
      if (found !== null && isOwnManifest(facts, reference)) recordPulled(tx, { reference, image_id: found.id }, now());
      // Delete the image's database row, because Davit did not pull the image or Docker no longer has it.
      else forgetPulled(tx, reference);
    });
  }
}

/**
 * Returns whether an image name contains a digest and belongs to the instance's registry. The database row of such an
 * image must stay, because deployments do not verify images without a row.
 */
function isOwnManifest(facts: ImagesDeps['facts'], reference: string): boolean {
  return isOwnImage(facts, reference) && imageReference(facts, reference)?.digest !== null;
}

/**
 * Removes an image name from Docker. If a container uses the image, the image's row stays for the next garbage
 * collection.
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
