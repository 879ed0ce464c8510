/** The image of a database, which is found, made or pulled: also again, for one that somebody has removed since. */
import type { Image } from '../engine/image.ts';
import type { Base } from '../release/base.ts';
import { registryAuthFor } from '../release/registry.ts';
import { databaseById, setDatabase } from '../store/managed-database.ts';
import { makesImage } from './offers.ts';

/**
 * Has the image of a database's record be at the engine. One whose id is on record and there is left as it is: a restart is no
 * update. Its name is not noted among those that were pulled for apps, whose collection takes away what no release needs.
 * @throws ImageNotFound, EngineRefused, EngineUnavailable
 */
export async function ensureImage(base: Base, id: number, signal: AbortSignal): Promise<void> {
  const { engine, store } = base;
  const row = databaseById(store, id);
  if (row === undefined) return;
  if (row.image_id !== null && (await engine.findImage(row.image_id, signal)) !== null) return;
  const made = await makesImage(engine, row.engine, row.version, row.image);
  const image =
    made === null ? await pulled(base, row.image, signal) : await engine.makeImage(made, row.version, signal);
  store.tx((tx) => setDatabase(tx, id, { image_id: image.id }));
}

/** One that is here already is taken: its tag names a version. */
async function pulled(base: Base, reference: string, signal: AbortSignal): Promise<Image> {
  const local = await base.engine.findImage(reference, signal);
  return local ?? base.engine.pullImage(reference, registryAuthFor(base, reference), signal);
}
