import { can, DavitError } from '@davit/api';
import { EngineUnavailable } from '../engine/engine.ts';
import type { AppTarget } from '../release/app-target.ts';
import type { Base } from '../release/base.ts';
import { imageOf } from '../release/image.ts';
import { deploymentById, openDeploymentsOfApp } from '../store/deployments.ts';
import { liveOf } from '../store/releases.ts';
import type { DeployAsk } from './deploys.ts';

/** What a request comes to, before it is recorded. */
export interface Release {
  tag: string;
  image: string;
  imageId: string | null;
  digest: string | null;
  revision: number;
  rollbackOf: number | null;
}

/**
 * Which image and revision a request means.
 * @throws DavitError invalid_input without a tag to go by, conflict for a rollback to what never served
 */
export function decide(base: Base, app: AppTarget, ask: DeployAsk): Release {
  const { store, facts } = base;
  if (ask.rollbackOf !== undefined) return rollbackRelease(base, app, ask.rollbackOf);
  const tag = ask.tag ?? app.spec.tag ?? openDeploymentsOfApp(store, app.id).at(-1)?.tag ?? liveOf(store, app.id)?.tag;
  if (tag === undefined)
    throw new DavitError('invalid_input', 'tag: is required for the first deploy of an app that has no pin.');
  return {
    tag,
    image: `${imageOf(app.spec, app, facts)}:${tag}`,
    imageId: null,
    digest: null,
    revision: app.revision,
    rollbackOf: null,
  };
}

/**
 * Asks only what is near: the engine, and for a pushed app the instance's own registry, whose images it has.
 * @throws DavitError unavailable when the engine does not answer, conflict when the image is known to be absent
 */
export async function mustExist({ engine }: Base, app: AppTarget, release: Release): Promise<void> {
  // Asked now and not looked up: what was seen some seconds ago would accept a deploy that cannot begin.
  await engine.info().catch((cause: Error) => {
    if (!(cause instanceof EngineUnavailable)) throw cause;
    throw new DavitError('unavailable', cause.message, { cause, retryAfterS: 5 });
  });
  const near = app.spec.source === 'registry' || release.imageId !== null;
  if (near && (await engine.findImage(release.imageId ?? release.image)) === null) {
    throw new DavitError('conflict', `There is no image ${release.image}: push it, then deploy it.`);
  }
}

function rollbackRelease({ store }: Base, app: AppTarget, asked: number): Release {
  const target = deploymentById(store, asked);
  if (!target || target.app_id !== app.id) throw new DavitError('conflict', `This app has no deployment ${asked}.`);
  if (!can.rollBackTo(target)) {
    throw new DavitError(
      'conflict',
      `Deployment ${asked} ${target.status}: only one that succeeded can be gone back to.`,
    );
  }
  const { tag, image, image_id, digest, revision } = target;
  return { tag, image, imageId: image_id, digest, revision, rollbackOf: asked };
}
