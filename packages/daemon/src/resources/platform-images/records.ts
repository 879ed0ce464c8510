import type { PlatformImageRecord, PlatformImageRecords } from '../../adapters/engine/platform-images.ts';
import type { Store } from '../../db/store.ts';
import {
  allPlatformImages,
  type PlatformImageRow,
  platformImageByName,
  putPlatformImage,
} from '../../db/tables/platform-image.ts';

/**
 * Returns functions for the table of images that this instance builds. Each change publishes an event, because `GET
 * /api/instance` returns the images.
 */
export function platformImageRecords(store: Store): PlatformImageRecords {
  return {
    find(name) {
      const row = platformImageByName(store, name);
      return row === undefined ? null : recordOf(row);
    },
    // Cache the result, because each request `GET /api/instance` reads it.
    all: () => store.memo('platform images', () => allPlatformImages(store).map(recordOf)),
    put(record) {
      /*
       * An API request can start an image build. The request's entry in the audit log must not include changes that the
       * build makes.
       */
      store.trail.apart(() =>
        store.tx((tx) => {
          putPlatformImage(tx, rowOf(record));
          tx.event({ kind: 'instance', data: { change: 'platform_images' } });
        }),
      );
    },
  };
}

function recordOf(row: PlatformImageRow): PlatformImageRecord {
  return {
    name: row.name,
    imageId: row.image_id,
    recipe: row.recipe,
    packages: JSON.parse(row.packages) as PlatformImageRecord['packages'],
    builtAt: row.built_at,
    checkedAt: row.checked_at,
    available: JSON.parse(row.available) as PlatformImageRecord['available'],
    previous: row.previous === null ? null : (JSON.parse(row.previous) as PlatformImageRecord['previous']),
    keptBack: row.kept_back === null ? null : (JSON.parse(row.kept_back) as PlatformImageRecord['keptBack']),
  };
}

function rowOf(record: PlatformImageRecord): PlatformImageRow {
  const { name, imageId, recipe, packages, builtAt, checkedAt, available, previous, keptBack } = record;
  return {
    ...{ name, image_id: imageId, recipe, built_at: Math.round(builtAt) },
    checked_at: checkedAt === null ? null : Math.round(checkedAt),
    packages: JSON.stringify(packages),
    available: JSON.stringify(available),
    previous: previous && JSON.stringify(previous),
    kept_back: keptBack && JSON.stringify(keptBack),
  };
}
