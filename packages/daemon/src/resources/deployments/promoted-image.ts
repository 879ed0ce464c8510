/**
 * Links promoted images into an app's own repository. The engine pulls with a credential for that repository only. A
 * linked image can therefore be pulled again for as long as the app needs it.
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
 * This message does not contain the image name, because the name includes the reference of an app that the reader may
 * not see.
 */
export const NOT_PROMOTED =
  'The image belongs to another app of this instance and was not promoted to this app. Promote it, or deploy another tag.';

/**
 * Links the image of a deployment into the app's repository, if the image belongs to the own registry and was pushed
 * for another app. The source is the repository of the app from which the image was promoted. If the registry accepts
 * no pushes, a promotion or a necessary pull waits.
 * @param isLocal whether the engine has the image; if so, an unavailable registry does not fail the deployment
 * @throws DeployFailed if the registry cannot link the image now, or if the image was not promoted to this app
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
  const isNeeded = !isLocal || promoted_app !== null;
  try {
    await linkInTime(work, { digest, from }, isNeeded ? work.limits.resolveMs : 0, signal);
  } catch (cause) {
    if (!(cause instanceof RegistryUnavailable)) throw cause;
    if (isNeeded) throw new DeployFailed(sentence(cause.message), [], { cause });
    log.warn(
      { app: app.reference, image, reason: cause.message },
      'a promoted image could not be linked into the repository of its app',
    );
  }
}

interface Source {
  digest: string;
  /** Name of the repository that has the image. */
  from: string;
}

/**
 * Links an image, and repeats the attempt until the time has passed.
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

/** Links the image into the app's repository. If the source does not have the image, the later pull fails. */
async function link({ base, app }: Work, { digest, from }: Source): Promise<void> {
  const { registry, store, now } = base;
  if (leftBefore(store, app) !== undefined)
    throw new RegistryUnavailable(
      `The images of an earlier app ${app.reference} are still being deleted. Try again in a moment.`,
    );
  // The grant is recorded before the link, because a collection skips repositories with a current push grant.
  store.tx((tx) => {
    // Without its app, the repository would belong to the next app of this name.
    if (appById(tx, app.id) === undefined) throw new DeployFailed('The app was deleted.');
    recordGrant(tx, { name: app.reference, at: now(), push: true });
  });
  await registry.link(digest, from, app.reference);
}
