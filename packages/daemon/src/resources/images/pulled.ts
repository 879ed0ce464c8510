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

/** Called before a pull. Written down before, so that a crash in the middle of it leaves no image without an owner. */
export async function beginPull({ engine, store, now }: Parts, reference: string, signal: AbortSignal): Promise<void> {
  if (await engine.findImage(reference, signal)) return;
  store.tx((tx) => recordPulled(tx, { reference, image_id: null }, now()));
}

/** Called after it. A name that was there before stays somebody else's. */
export function endPull({ store }: Pick<ImagesDeps, 'store'>, reference: string, imageId: string): void {
  store.tx((tx) => setPulledImage(tx, reference, imageId));
}

/**
 * For an image of the instance's own registry that is here by the name of its manifest: an engine that pushed it has that
 * name of itself, beside the one that it was pushed under, which stays somebody else's.
 */
export function claimManifest(
  { store, now }: Pick<ImagesDeps, 'store' | 'now'>,
  reference: string,
  imageId: string,
): void {
  if (pulledImage(store, reference)?.image_id === imageId) return;
  store.tx((tx) => recordPulled(tx, { reference, image_id: imageId }, now()));
}

/** The names that nothing needs any more. @param isNeeded whether an image or a name is still asked for */
export function unneededPulled(
  { store }: Pick<ImagesDeps, 'store'>,
  isNeeded: (imageId: string, reference: string) => boolean,
): { reference: string; imageId: string }[] {
  return allPulledImages(store).flatMap(({ reference, image_id }) =>
    image_id === null || isNeeded(image_id, reference) ? [] : [{ reference, imageId: image_id }],
  );
}

/**
 * Brings the record of the names together with what the engine has: of a pull that failed or was cut short nothing else
 * would tell, and names that somebody took away himself need no record.
 */
export async function settlePulled({ engine, store, facts, now }: Parts & Pick<ImagesDeps, 'facts'>): Promise<void> {
  for (const { reference, image_id } of allPulledImages(store)) {
    if (isAskedFor(store, reference)) continue;
    const found = await engine.findImage(reference);
    if (found !== null && image_id !== null) continue;
    store.tx((tx) => {
      // A pull may have begun or ended meanwhile.
      if (isAskedFor(tx, reference) || pulledImage(tx, reference)?.image_id !== image_id) return;
      if (found !== null && isOwnManifest(facts, reference)) recordPulled(tx, { reference, image_id: found.id }, now());
      // The pull never named an image: a name that is there now was given by somebody else.
      else forgetPulled(tx, reference);
    });
  }
}

/**
 * Whether a reference is the name of a manifest in the instance's own registry. The engine gives this name itself during
 * the pull, before the daemon knows the image. The record must stay while the engine has the name: without it, a
 * deployment takes the image for one that was pushed from the server and needs no verification.
 */
function isOwnManifest(facts: ImagesDeps['facts'], reference: string): boolean {
  return isOwnImage(facts, reference) && imageReference(facts, reference)?.digest !== null;
}

/** Takes a name away. One that a container keeps stays on record and is tried again. */
export async function dropPulled({ engine, store }: Parts, reference: string, imageId: string): Promise<boolean> {
  if (!(await engine.untagImage(reference, imageId))) return false;
  store.tx((tx) => {
    // A deployment may have begun to pull it meanwhile.
    if (pulledImage(tx, reference)?.image_id === imageId) forgetPulled(tx, reference);
  });
  return true;
}
