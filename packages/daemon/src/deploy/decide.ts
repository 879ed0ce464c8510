import { can, DavitError, type Trigger } from '@davit/api';
import { EngineUnavailable } from '../engine/errors.ts';
import { RegistryUnavailable } from '../registry/registry.ts';
import type { AppTarget } from '../release/app-target.ts';
import type { Base } from '../release/base.ts';
import { whyForeign } from '../release/foreign-image.ts';
import { imageOf } from '../release/image.ts';
import { ownRepository } from '../release/own-images.ts';
import { pushAddress } from '../release/push-address.ts';
import { isOwnImage } from '../release/registry.ts';
import { readRevisionSpec } from '../release/revision.ts';
import { type DeploymentRow, deploymentById, openDeploymentsOfApp, type PromotedFrom } from '../store/deployment.ts';
import { isStopped, liveOf } from '../store/release.ts';
import { leftBefore } from '../store/repository.ts';
import type { DeployAsk } from './deploys.ts';

/** What a request comes to, before it is recorded. */
export interface Release {
  tag: string;
  image: string;
  imageId: string | null;
  digest: string | null;
  revision: number;
  rollbackOf: number | null;
  promotedFrom: PromotedFrom | null;
}

/** What runs what is live, whatever that is when its turn comes. */
export function followsLive(kind: Trigger['kind']): boolean {
  return kind === 'scale' || kind === 'restart' || kind === 'start';
}

/**
 * Which image and revision a request means, from what is on record at this moment.
 * @throws DavitError invalid_input without a tag to go by, conflict where there is nothing to deploy
 */
export function decide(base: Base, app: AppTarget, ask: DeployAsk): Release {
  if (ask.rollbackOf !== undefined) return rollbackRelease(base, app, ask.rollbackOf);
  if (ask.from !== undefined) return promotedRelease(base, app, ask.from);
  if (followsLive(ask.trigger.kind)) return liveRelease(base, app, ask.trigger.kind);
  return taggedRelease(base, app, ask);
}

/**
 * Whether the engine answers, and there is room for a new image; asked before anything is recorded.
 * @throws DavitError unavailable with a sentence
 */
export async function demandEngine({ engine, diskGuard }: Base, kinds: readonly Trigger['kind'][]): Promise<void> {
  const full = kinds.some(bringsImage) ? diskGuard() : null;
  if (full !== null) throw new DavitError('unavailable', full, { retryAfterS: 60 });
  // Asked now and not looked up: what was seen some seconds ago would accept a deploy that cannot begin.
  await engine.info().catch((cause: Error) => {
    if (!(cause instanceof EngineUnavailable)) throw cause;
    throw new DavitError('unavailable', cause.message, { cause, retryAfterS: 5 });
  });
}

/** What is or was live is here already: to run it again takes no room, and may be what saves the day. */
function bringsImage(kind: Trigger['kind']): boolean {
  return kind !== 'rollback' && !followsLive(kind);
}

/**
 * Asks only what is near: the engine, and for a pushed app the instance's own registry.
 * @returns the manifest's digest where it is known by now: what is deployed even if its tag moves meanwhile
 * @throws DavitError conflict when the image is known to be absent, unavailable when the registry does not answer
 */
export async function demandImage(base: Base, app: AppTarget, release: Release): Promise<string | null> {
  const { engine, registry } = base;
  const { digest, image, imageId, tag } = release;
  const exact = release.rollbackOf ?? release.promotedFrom?.deployment;
  if (exact !== undefined) {
    if ((await engine.findImage(imageId ?? image)) !== null) return digest;
    if (await isInOwnRegistry(base, release)) return digest;
    throw new DavitError('conflict', goneImage(exact));
  }
  if (app.spec.source !== 'registry' || digest !== null) return digest;
  const isLeft = leftBefore(base.store, app) !== undefined;
  const pushed = isLeft ? null : await registry.digestOf(app.reference, tag).catch(notAnswering);
  if (pushed !== null) return pushed;
  const how = `push it with «docker push ${pushAddress(base, app.reference)}:${tag}»`;
  throw new DavitError('conflict', `There is no image ${image} in the registry of this instance: ${how}.`);
}

/** What was pushed here and is needed is kept there, whatever its tag names by now, and is pulled again where it has to be. */
async function isInOwnRegistry(base: Base, { image, digest }: Release): Promise<boolean> {
  const repository = ownRepository(image, base.facts.domain);
  if (repository === null || digest === null || !isOwnImage(base.facts, image)) return false;
  return (await base.registry.digestOf(repository, digest).catch(notAnswering)) !== null;
}

function notAnswering(cause: unknown): never {
  if (!(cause instanceof RegistryUnavailable)) throw cause;
  throw new DavitError('unavailable', cause.message, { cause, retryAfterS: 5 });
}

/** A release with the digest that was found out for its image. */
export function atDigest(release: Release, digests: ReadonlyMap<string, string | null>): Release {
  return { ...release, digest: release.digest ?? digests.get(release.image) ?? null };
}

/** What is said of a release whose very image is asked for and is not in the engine any more. */
export function goneImage(deployment: number): string {
  return `The image of deployment ${deployment} is no longer here: deploy its tag instead.`;
}

function taggedRelease(base: Base, app: AppTarget, ask: DeployAsk): Release {
  const newest = newestAsked(base, app);
  const tag = ask.tag ?? app.spec.tag ?? newest?.tag;
  if (tag === undefined) throw nothingToDeploy(ask);
  const foreign = whyForeign(base.facts, app, imageOf(app.spec, app, base.facts));
  if (foreign !== null) throw new DavitError('conflict', foreign);
  const own = { revision: app.revision, rollbackOf: null, promotedFrom: null };
  // What a tag means may have moved, and a promoted image has another repository's name.
  if (ask.ofChange && newest?.tag === tag && namesTheSame(base, app, newest)) return { ...imageOfRow(newest), ...own };
  const digest = ask.digest ?? null;
  return { tag, image: `${imageOf(app.spec, app, base.facts)}:${tag}`, imageId: null, digest, ...own };
}

/** The release that the app has, or is about to have. What only runs again what is live brings none of its own. */
function newestAsked({ store }: Base, app: AppTarget): DeploymentRow | undefined {
  return openDeploymentsOfApp(store, app.id).findLast((row) => !followsLive(row.trigger_kind)) ?? liveOf(store, app.id);
}

/** Whether the settings still mean the repository that they meant for this deployment. */
function namesTheSame(base: Base, app: AppTarget, { revision }: DeploymentRow): boolean {
  const then = readRevisionSpec(base, app.id, revision);
  return imageOf(then, app, base.facts) === imageOf(app.spec, app, base.facts);
}

function nothingToDeploy({ ofChange }: DeployAsk): DavitError {
  if (!ofChange)
    return new DavitError('invalid_input', 'tag: is required for the first deploy of an app that has no pin.');
  return new DavitError(
    'conflict',
    'There is nothing to deploy yet, so nothing was changed: deploy a tag of the app first.',
  );
}

function rollbackRelease({ store }: Base, app: AppTarget, asked: number): Release {
  const target = deploymentById(store, asked);
  if (!target || target.app_id !== app.id)
    throw new DavitError('conflict', `This app has no deployment ${asked}: list its deployments.`);
  if (!can.rollBackTo(target)) {
    throw new DavitError(
      'conflict',
      `Deployment ${asked} ${target.status}: only one that succeeded can be gone back to.`,
    );
  }
  return { ...sameAgain(target), rollbackOf: asked };
}

function promotedRelease({ store }: Base, app: AppTarget, from: AppTarget): Release {
  const live = liveOf(store, from.id);
  if (live === undefined) {
    throw new DavitError('conflict', `Nothing is live in ${from.reference}: deploy it there, then promote it.`);
  }
  const promotedFrom = { app: from.reference, projectId: from.project.id, deployment: live.id };
  return { ...imageOfRow(live), revision: app.revision, rollbackOf: null, promotedFrom };
}

function liveRelease({ store }: Base, app: AppTarget, kind: Trigger['kind']): Release {
  const live = liveOf(store, app.id);
  if (live === undefined) throw new DavitError('conflict', 'Nothing is live in this app yet: deploy it first.');
  const stopped = isStopped(store, app.id);
  if (kind !== 'start' && stopped) throw new DavitError('conflict', 'This app is stopped: start it instead.');
  if (kind === 'start') demandStartable(stopped, openDeploymentsOfApp(store, app.id)[0]);
  return sameAgain(live);
}

/** The release of a deployment as it is: its image, its settings and its variables. */
export function sameAgain(row: DeploymentRow): Release {
  return { ...imageOfRow(row), revision: row.revision, rollbackOf: null, promotedFrom: null };
}

function demandStartable(stopped: boolean, open: DeploymentRow | undefined): void {
  if (!stopped) throw new DavitError('conflict', 'This app is not stopped: restart it instead.');
  if (open) throw new DavitError('conflict', `Deployment ${open.id} is under way and starts the app: wait for it.`);
}

function imageOfRow({
  tag,
  image,
  image_id,
  digest,
}: DeploymentRow): Pick<Release, 'tag' | 'image' | 'imageId' | 'digest'> {
  return { tag, image, imageId: image_id, digest };
}
