/** Finds, builds or pulls the container image of a database, also if a user has removed the image from Docker. */
import { isReservedImage } from '@davit/api';
import { EngineRefused } from '../../adapters/engine/errors.ts';
import type { Image } from '../../adapters/engine/image.ts';
import { type DatabaseRow, databaseById, setDatabase } from '../../db/tables/managed-database.ts';
import { registryAuthFor } from '../../image-references/credentials.ts';
import type { DatabasesDeps } from './deps.ts';
import { makesImage } from './offers.ts';

/**
 * Pulls the image of a database if Docker does not have it, and saves the image id in the database row. If Docker has
 * the image of the saved id, the id does not change. So a restart of the database does not update the image.
 *
 * Davit does not record this image as an image of an app. Otherwise, garbage collection of app images would delete it.
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

/**
 * Returns the Docker image of a database. If Docker does not have the image, the function pulls it. The image tag
 * contains a version, so an existing image is not pulled again.
 */
async function pulled(base: DatabasesDeps, row: DatabaseRow, signal: AbortSignal): Promise<Image> {
  const { image: reference, project_id: projectId } = row;
  /*
   * Never pull an image with a reserved name. Davit builds these images itself, and a registry could return a different
   * image.
   */
  if (isReservedImage(reference))
    throw new EngineRefused(
      `This server can no longer build the image ${reference}. Restore a backup into a new database.`,
    );
  const local = await base.engine.findImage(reference, signal);
  const auth = registryAuthFor(base, reference, { appId: null, projectId });
  return local ?? base.engine.pullImage(reference, auth, signal, projectId);
}
