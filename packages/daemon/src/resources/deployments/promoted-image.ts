/**
 * Gives an app's own repository the images that are promoted to it. The credential that the engine pulls with reaches that
 * repository only, so that a promoted image can be pulled again for as long as the app needs it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { RegistryUnavailable } from '../../adapters/registry/registry.ts';
import { sentence } from '../../app-spec/sentence.ts';
import { promotedFromApp } from '../../db/tables/deployment.ts';
import { leftBefore, recordGrant } from '../../db/tables/repository.ts';
import { imageReference, ownRegistryHost } from '../../image-references/own-registry.ts';
import { DeployFailed, type Work } from './work.ts';

const PAUSE_MS = 500;

/** Does not name the image, because its name has the reference of an app that a reader may not see. */
export const NOT_PROMOTED =
  'The image belongs to another app of this instance and was not promoted to this one: promote it, or deploy another tag.';

/**
 * Links the image of a deployment into the app's repository, if it is one of the instance's registry and was pushed for
 * another app. It is taken from the repository of the app that it was promoted from, whose image it was at that time.
 * A promotion, and an image that has to be pulled, wait while the registry takes no pushes.
 * @param isLocal whether the engine has the image: then an unavailable registry does not fail the deployment
 * @throws DeployFailed if the registry cannot do it now, and for an image that was not promoted to this app
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
    log.warn({ app: app.reference, image, reason: cause.message }, 'a promoted image is not in its app’s repository');
  }
}

interface Source {
  digest: string;
  /** A repository. */
  from: string;
}

/** @throws RegistryUnavailable */
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

/** Skips repositories that do not have the image. If none has it, the pull fails. */
async function link({ base, app }: Work, { digest, from }: Source): Promise<void> {
  const { registry, store, now } = base;
  if (leftBefore(store, app) !== undefined)
    throw new RegistryUnavailable(
      `The images of an earlier app ${app.reference} are being removed: try again shortly.`,
    );
  // Before the link: a collection skips repositories that are pushed to.
  store.tx((tx) => recordGrant(tx, { name: app.reference, at: now(), push: true }));
  await registry.link(digest, from, app.reference);
}
