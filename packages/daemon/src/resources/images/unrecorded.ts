/**
 * Images of deployments that a restored older copy of the database does not contain. The deployment id in a tag shows
 * the difference. An id that this database has assigned belongs to a deleted deployment. A higher id belongs to a
 * deployment after the copy.
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

/** Time that admins have to react before the collection removes an image. */
export const KEPT_DAYS = 7;

const KEPT_MS = KEPT_DAYS * 86_400_000;

/** Returns the time from which the collection may remove an image, in milliseconds since the epoch. */
export function unrecordedUntil(foundAt: number): number {
  return foundAt + KEPT_MS;
}

/** Returns whether a tag belongs to an unknown deployment and its time is not over. */
export function isKeptUnrecorded(db: Reader, tag: string, now: number): boolean {
  const row = unrecordedImage(db, tag);
  return row !== undefined && now < unrecordedUntil(row.found_at);
}

/**
 * Records tags of deployments that this database does not contain, and prevents new deployments from using their ids.
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
