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

/** Records a pull before it starts, so that a crash during the pull leaves no image without a record. */
export async function beginPull({ engine, store, now }: Parts, reference: string, signal: AbortSignal): Promise<void> {
  if (await engine.findImage(reference, signal)) return;
  store.tx((tx) => recordPulled(tx, { reference, image_id: null }, now()));
}

/**
 * Records the id of a pulled image. A name that existed before the pull has no record, because it belongs to another
 * program.
 */
export function endPull({ store }: Pick<ImagesDeps, 'store'>, reference: string, imageId: string): void {
  store.tx((tx) => setPulledImage(tx, reference, imageId));
}

/**
 * Records the digest name of an image of the own registry. When the engine pushes an image, Docker creates this name in
 * addition to the pushed name. The pushed name belongs to the user.
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
 * Returns the recorded names that nothing needs any more.
 * @param isNeeded returns whether an image or a name is still needed
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
 * Compares the recorded names with the engine, because failed or interrupted pulls leave records. A record of a name
 * that a user removed is deleted.
 */
export async function settlePulled({ engine, store, facts, now }: Parts & Pick<ImagesDeps, 'facts'>): Promise<void> {
  for (const { reference, image_id } of allPulledImages(store)) {
    if (isAskedFor(store, reference)) continue;
    const found = await engine.findImage(reference);
    if (found !== null && image_id !== null) continue;
    store.tx((tx) => {
      // A pull may have started or ended meanwhile.
      if (isAskedFor(tx, reference) || pulledImage(tx, reference)?.image_id !== image_id) return;
      if (found !== null && isOwnManifest(facts, reference)) recordPulled(tx, { reference, image_id: found.id }, now());
      // The pull did not record an image id, so another program created the name that exists now.
      else forgetPulled(tx, reference);
    });
  }
}

/**
 * Returns whether a reference is a digest name in the instance's own registry. The engine creates this name during the
 * pull, before the Docker daemon has verified the image. The record must stay while the engine has the name. Without
 * it, a deployment would treat the image as pushed from the server and skip the verification.
 */
function isOwnManifest(facts: ImagesDeps['facts'], reference: string): boolean {
  return isOwnImage(facts, reference) && imageReference(facts, reference)?.digest !== null;
}

/** Removes a name from the engine. A name that a container uses stays recorded, so that a later pass tries again. */
export async function dropPulled({ engine, store }: Parts, reference: string, imageId: string): Promise<boolean> {
  if (!(await engine.untagImage(reference, imageId))) return false;
  store.tx((tx) => {
    // A deployment may have started to pull the image meanwhile.
    if (pulledImage(tx, reference)?.image_id === imageId) forgetPulled(tx, reference);
  });
  return true;
}
