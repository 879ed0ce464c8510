/**
 * Finds release images that are missing in Docker, for example after `docker image prune -a`. Davit warns users until
 * Docker has the image again.
 */
import { EngineRefused } from '../../adapters/engine/errors.ts';
import { heldBy, heldTag } from '../../adapters/engine/names.ts';
import type { Reader } from '../../db/store.ts';
import {
  type HeldRow,
  heldDeployments,
  missingImages,
  setHeld,
  setMissing,
  setReleased,
} from '../../db/tables/held-image.ts';
import { hasManifest } from '../../image-references/own-registry.ts';
import type { ImagesDeps } from './deps.ts';
import { reasonToKeep } from './retention.ts';

type Parts = Pick<ImagesDeps, 'engine' | 'store' | 'settings' | 'facts' | 'now'>;

/**
 * Checks whether Docker still has the images that the database lists. If only Davit's tag of an image is missing, adds
 * the tag again.
 * @throws EngineUnavailable
 */
export async function settleHeld(base: Parts): Promise<void> {
  const { engine, store } = base;
  /*
   * Read the database before Docker. Otherwise, an image that is added between the two reads could seem to be missing
   * in Docker.
   */
  const recorded = heldDeployments(store);
  const present = new Set((await engine.heldImages()).map(heldBy));
  store.tx((tx) => {
    for (const id of present) setHeld(tx, id);
  });
  for (const row of recorded) if (!present.has(row.id)) await settleAbsent(base, row);
}

async function settleAbsent(base: Parts, row: HeldRow): Promise<void> {
  const { store, settings, now } = base;
  if (reasonToKeep(store, row.id, settings().images.keep) === null) {
    store.tx((tx) => setReleased(tx, row.id));
    return;
  }
  const isBack = await holdAgain(base, row);
  store.tx((tx) => {
    if (isBack) setHeld(tx, row.id);
    else setMissing(tx, row.id, now());
  });
}

/**
 * Adds the tag of an image in Docker again. A user may have removed only the tag, or may have pulled or loaded the
 * image again.
 * @returns whether Docker has the image
 */
async function holdAgain({ engine, facts }: Parts, { id, app, image_id }: HeldRow): Promise<boolean> {
  if (image_id === null || (await engine.findImageById(image_id)) === null) return false;
  try {
    await engine.holdImage(image_id, heldTag(facts.id, app, id));
  } catch (error) {
    // Ignore the error. Docker has the image but refused the tag. The next check tries to tag the image again.
    if (!(error instanceof EngineRefused)) throw error;
  }
  return true;
}

/**
 * Returns warnings about releases whose image is missing. The warnings contain instructions.
 * @param projects ids of the projects to include, or `null` for all
 */
export function missingImageWarnings(db: Reader, projects: readonly number[] | null): string[] {
  const missing = missingImages(db, projects);
  const lost = missing.filter((row) => !hasManifest(row));
  const pulled = missing.length - lost.length;
  const [first] = lost;
  return [
    ...(first === undefined
      ? []
      : [
          `Docker no longer has the ${images(lost.length)}, for example of deployment ${first.id} of ${first.app}, so a rollback to that release fails. Load the image into Docker again or deploy the tag, and do not run \`docker image prune -a\` on this server.`,
        ]),
    ...(pulled === 0
      ? []
      : [
          `Docker no longer has the ${images(pulled)}. A rollback works only if the registry still has the image. Pull the image now, and do not run \`docker image prune -a\` on this server.`,
        ]),
  ];
}

function images(count: number): string {
  return count === 1 ? 'image of 1 release' : `images of ${count} releases`;
}
