/**
 * Copies the image of another app to the app's own repository. Docker then needs credentials for only one repository.
 * The registry keeps the image as long as the app's own repository contains it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { RegistryUnavailable } from '../../adapters/registry/registry.ts';
import { sentence } from '../../app-spec/sentence.ts';
import { appById } from '../../db/tables/app.ts';
import { promotedFromApp } from '../../db/tables/deployment.ts';
import { leftBefore, recordGrant } from '../../db/tables/repository.ts';
import { imageReference, ownRegistryHost } from '../../image-references/own-registry.ts';
import { DeployFailed, type Work } from './work.ts';

const PAUSE_MS = 500;

/**
 * Error message without the image name. The image name contains the name of another app, and the user may not be
 * allowed to see that app.
 */
export const NOT_PROMOTED =
  'The image belongs to another app of this instance and was not promoted to this app. Promote it, or deploy another tag.';

/**
 * Links a promoted image into the app's own repository.
 * @throws DeployFailed if the registry does not link the image in time, or if the image was not promoted
 */
export async function linkPromoted(work: Work, isLocal: boolean, signal: AbortSignal): Promise<void> {
  const { base, app, log } = work;
  const { image, digest, image_id, promoted_app } = work.row();
  const reference = imageReference(base.facts, image);
  if (reference?.host !== ownRegistryHost(base.facts) || reference.repository === app.reference) return;
  const hasManifest = digest !== null && digest !== image_id;
  const from = hasManifest ? promotedFromApp(base.store, app.id, digest) : undefined;
  if (!hasManifest || from === undefined) {
    if (isLocal) return;
    throw new DeployFailed(NOT_PROMOTED);
  }
  /*
   * A promotion needs the image in the app's repository. Other deployments can use an image in Docker without the
   * registry.
   */
  const isNeeded = !isLocal || promoted_app !== null;
  try {
    await linkInTime(work, { digest, from }, isNeeded ? work.limits.resolveMs : 0, signal);
  } catch (cause) {
    if (!(cause instanceof RegistryUnavailable)) throw cause;
    if (isNeeded) throw new DeployFailed(sentence(cause.message), [], { cause });
    log.warn(
      { app: app.reference, image, reason: cause.message },
      'a promoted image could not be added to the repository of the app',
    );
  }
}

interface Source {
  digest: string;
  /** Name of the repository that contains the image. */
  from: string;
}

/**
 * Adds an image to the app's repository. While the registry is unavailable, the function repeats the request for
 * `withinMs` milliseconds.
 * @throws RegistryUnavailable
 */
async function linkInTime(work: Work, source: Source, withinMs: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await link(work, source);
    } catch (error) {
      if (!(error instanceof RegistryUnavailable) || performance.now() > deadline) throw error;
      await delay(PAUSE_MS, undefined, { signal });
    }
  }
}

/**
 * Links an image into the app's repository. If the source repository no longer contains the image, a later pull of the
 * image fails.
 */
async function link({ base, app }: Work, { digest, from }: Source): Promise<void> {
  const { registry, store, now } = base;
  if (leftBefore(store, app) !== undefined)
    throw new RegistryUnavailable(
      `The images of an earlier app ${app.reference} are still being deleted. Try again in a moment.`,
    );
  /*
   * First save a push of the image in the database. Garbage collection then skips the repository while Davit links the
   * image.
   */
  store.tx((tx) => {
    // Do not save the repository of a deleted app. Otherwise, a new app with the same name would get this repository.
    if (appById(tx, app.id) === undefined) throw new DeployFailed('The app was deleted.');
    recordGrant(tx, { name: app.reference, at: now(), push: true });
  });
  await registry.link(digest, from, app.reference);
}
