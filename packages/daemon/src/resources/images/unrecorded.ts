/**
 * Images of deployments that are missing in SQLite, because an older copy of the database was restored. The deployment
 * id in an image's tag shows the reason. An id up to the last assigned id belongs to a deleted deployment. A higher id
 * belongs to a deployment after the copy was made.
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

/** Number of days to keep an image whose deployment is missing in SQLite, so that an admin can react. */
export const KEPT_DAYS = 7;

const KEPT_MS = KEPT_DAYS * 86_400_000;

/**
 * Returns the time until which an image is kept if its deployment is missing in SQLite, in milliseconds since the
 * epoch.
 */
export function unrecordedUntil(foundAt: number): number {
  return foundAt + KEPT_MS;
}

/** Returns whether a tag belongs to a deployment that is missing in SQLite and is still kept. */
export function isKeptUnrecorded(db: Reader, tag: string, now: number): boolean {
  const row = unrecordedImage(db, tag);
  return row !== undefined && now < unrecordedUntil(row.found_at);
}

/**
 * Saves the tags of deployments that are missing in SQLite. Reserves the ids of these deployments, so that new
 * deployments do not get them.
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
