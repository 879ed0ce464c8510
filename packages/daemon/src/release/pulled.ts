/**
 * Under which names this instance brought images to the engine. An engine does not say who pulled what: a name that it
 * did not have before is ours to take away again, and any other was put there by somebody else.
 */
import { allPulledImages, forgetPulled, isAskedFor, pulledImage, recordPulled } from '../store/pulled-image.ts';
import type { Base } from './base.ts';

type Parts = Pick<Base, 'engine' | 'store' | 'now'>;

/** Called before a pull. Written down before, so that a crash in the middle of it leaves no image without an owner. */
export async function beginPull({ engine, store, now }: Parts, reference: string, signal: AbortSignal): Promise<void> {
  if (await engine.findImage(reference, signal)) return;
  store.tx((tx) => recordPulled(tx, { reference, image_id: null }, now()));
}

/** Called after it. A name that was there before stays somebody else's. */
export function endPull({ store, now }: Parts, reference: string, imageId: string): void {
  store.tx((tx) => {
    if (pulledImage(tx, reference)) recordPulled(tx, { reference, image_id: imageId }, now());
  });
}

/**
 * For an image of the instance's own registry that is here by the name of its manifest: an engine that pushed it has that
 * name of itself, beside the one that it was pushed under, which stays somebody else's.
 */
export function claimManifest({ store, now }: Pick<Base, 'store' | 'now'>, reference: string, imageId: string): void {
  if (pulledImage(store, reference)?.image_id === imageId) return;
  store.tx((tx) => recordPulled(tx, { reference, image_id: imageId }, now()));
}

/** The names that nothing needs any more. @param isNeeded whether an image or a name is still asked for */
export function unneededPulled(
  { store }: Pick<Base, 'store'>,
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
export async function settlePulled({ engine, store, now }: Parts): Promise<void> {
  for (const { reference, image_id } of allPulledImages(store)) {
    if (isAskedFor(store, reference)) continue;
    const found = await engine.findImage(reference);
    if (found !== null && image_id !== null) continue;
    store.tx((tx) => {
      // A deployment may have begun to pull it meanwhile.
      if (isAskedFor(tx, reference)) return;
      if (found === null) forgetPulled(tx, reference);
      else recordPulled(tx, { reference, image_id: found.id }, now());
    });
  }
}

/** Takes a name away. One that a container keeps stays on record and is tried again. */
export async function dropPulled({ engine, store }: Parts, reference: string, imageId: string): Promise<boolean> {
  if (!(await engine.untagImage(reference, imageId))) return false;
  store.tx((tx) => forgetPulled(tx, reference));
  return true;
}
