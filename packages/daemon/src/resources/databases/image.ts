/** The image of a database, which is found, made or pulled: also again, for one that somebody has removed since. */
import { isReservedImage } from '@davit/api';
import { EngineRefused } from '../../adapters/engine/errors.ts';
import type { Image } from '../../adapters/engine/image.ts';
import { type DatabaseRow, databaseById, setDatabase } from '../../db/tables/managed-database.ts';
import { registryAuthFor } from '../../image-references/credentials.ts';
import type { DatabasesDeps } from './deps.ts';
import { makesImage } from './offers.ts';

/**
 * Has the image of a database's record be at the engine. One whose id is on record and there is left as it is: a restart is no
 * update. Its name is not noted among those that were pulled for apps, whose collection takes away what no release needs.
 * @throws ImageNotFound, EngineRefused, EngineUnavailable
 */
export async function ensureDatabaseImage(base: DatabasesDeps, id: number, signal: AbortSignal): Promise<void> {
  const { engine, store } = base;
  const row = databaseById(store, id);
  if (row === undefined) return;
  if (row.image_id !== null && (await engine.findImageById(row.image_id, signal)) !== null) return;
  const made = await makesImage(engine, row.engine, row.version, row.image);
  const image = made === null ? await pulled(base, row, signal) : await engine.makeImage(made, row.version, signal);
  store.tx((tx) => setDatabase(tx, id, { image_id: image.id }));
}

/** One that is here already is taken: its tag names a version. */
async function pulled(base: DatabasesDeps, row: DatabaseRow, signal: AbortSignal): Promise<Image> {
  const { image: reference, project_id: projectId } = row;
  // It was made on this server once, and a registry has at most a stranger's image of that name.
  if (isReservedImage(reference))
    throw new EngineRefused(
      `make image: this server cannot make ${reference} any more: restore a backup into a new database.`,
    );
  const local = await base.engine.findImage(reference, signal);
  return (
    local ?? base.engine.pullImage(reference, registryAuthFor(base, reference, { appId: null, projectId }), signal)
  );
}
