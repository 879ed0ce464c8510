/**
 * Images in Docker whose deployment id is higher than all ids in the database. Such images exist after an older copy of
 * the database was restored.
 */
import type { HeldImage } from '../../adapters/engine/image.ts';
import { heldBy } from '../../adapters/engine/names.ts';
import type { Reader } from '../../db/store.ts';
import { keepNumberFree } from '../../db/tables/engine-volume.ts';
import {
  forgetUnrecordedImage,
  insertUnrecordedImage,
  lastDeploymentNumber,
  unrecordedImage,
  unrecordedImages,
} from '../../db/tables/unrecorded-image.ts';
import type { ImagesDeps } from './deps.ts';

/**
 * Number of days for which Davit keeps an image whose deployment is missing in the database. During this time, an admin
 * can decide what to do.
 */
export const KEPT_DAYS = 7;

const KEPT_MS = KEPT_DAYS * 86_400_000;

/**
 * Returns the time until which Davit keeps an image whose deployment is missing in the database. Times are in
 * milliseconds since the epoch.
 */
export function unrecordedUntil(foundAt: number): number {
  return foundAt + KEPT_MS;
}

/**
 * Returns whether Davit must still keep an image whose deployment is missing in the database. Davit keeps such an image
 * for {@link KEPT_DAYS} days.
 */
export function isKeptUnrecorded(db: Reader, tag: string, now: number): boolean {
  const row = unrecordedImage(db, tag);
  return row !== undefined && now < unrecordedUntil(row.found_at);
}

/**
 * Saves the tags of images whose deployment is missing in the database. The tags contain deployment ids. Reserves these
 * ids, so that new deployments get other ids.
 */
export function noteUnrecordedImages(
  { store, now }: Pick<ImagesDeps, 'store' | 'now'>,
  held: readonly HeldImage[],
): void {
  const last = lastDeploymentNumber(store);
  const found = held.filter(({ tag }) => Number.isSafeInteger(heldBy(tag)) && heldBy(tag) > last);
  const tags = new Set(held.map(({ tag }) => tag));
  const gone = unrecordedImages(store).filter(({ tag }) => !tags.has(tag));
  if (found.length === 0 && gone.length === 0) return;
  store.tx((tx) => {
    for (const { tag } of gone) forgetUnrecordedImage(tx, tag);
    for (const { tag } of found) {
      insertUnrecordedImage(tx, tag, now());
      keepNumberFree(tx, 'deployment', heldBy(tag));
    }
  });
}
