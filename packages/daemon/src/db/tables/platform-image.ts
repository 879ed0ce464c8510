import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insertOrReplace } from '../write.ts';

const IMAGE = selectFrom(
  'platform_images',
  'name, image_id, recipe, packages, built_at, checked_at, available, previous, kept_back',
);

/** Row of an image that Davit builds itself. The columns with JSON contain text that is not parsed yet. */
export type PlatformImageRow = Row<typeof IMAGE>;

export function platformImageByName(db: Reader, name: string): PlatformImageRow | undefined {
  return db.get(IMAGE.from('platform_images WHERE name = ?'), name);
}

/** Returns all images that Davit itself builds, sorted by name. */
export function allPlatformImages(db: Reader): PlatformImageRow[] {
  return db.all(IMAGE.from('platform_images ORDER BY name'));
}

export function putPlatformImage(tx: Tx, row: PlatformImageRow): void {
  insertOrReplace(tx, 'platform_images', row);
}
