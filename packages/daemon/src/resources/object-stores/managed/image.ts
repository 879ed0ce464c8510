import { setManagedStore } from '../../../db/tables/managed-store.ts';
import type { ManagedStoreRow } from '../../../db/tables/object-store.ts';
import { registryAuthFor } from '../../../image-references/credentials.ts';
import { beginPull, endPull } from '../../images/pulled.ts';
import type { ObjectStoresDeps } from '../deps.ts';

/**
 * Pulls the image of a managed object store if Docker does not have the image. An existing image is not pulled again,
 * because its tag is a fixed version.
 */
export async function ensureStoreImage(
  base: ObjectStoresDeps,
  row: ManagedStoreRow,
  signal: AbortSignal,
): Promise<void> {
  const { engine, store } = base;
  if (row.image_id !== null && (await engine.findImageById(row.image_id, signal)) !== null) return;
  let found = await engine.findImage(row.image, signal);
  if (found === null) {
    await beginPull(base, row.image, signal);
    found = await engine.pullImage(
      row.image,
      registryAuthFor(base, row.image, { appId: null, projectId: row.project_id }),
      signal,
      row.project_id,
    );
    endPull(base, row.image, found.id);
  }
  const { id: image_id } = found;
  store.tx((tx) => setManagedStore(tx, row.id, { image_id }));
}
