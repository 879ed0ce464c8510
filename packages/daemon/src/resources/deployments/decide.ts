import { setTimeout as delay } from 'node:timers/promises';
import { can, DavitError, invalidField, type Trigger } from '@davit/api';
import { EngineUnavailable } from '../../adapters/engine/errors.ts';
import { RegistryUnavailable } from '../../adapters/registry/registry.ts';
import type { AppTarget } from '../../app-spec/app-target.ts';
import { readRevisionSpec } from '../../app-spec/revision.ts';
import {
  type DeploymentRow,
  deploymentById,
  openDeploymentsOfApp,
  type PromotedFrom,
  promotedFromApp,
} from '../../db/tables/deployment.ts';
import { pushOf } from '../../db/tables/push.ts';
import { isStopped, liveOf } from '../../db/tables/release.ts';
import { leftBefore } from '../../db/tables/repository.ts';
import { imageOf } from '../../image-references/app-image.ts';
import { whyForeign } from '../../image-references/foreign-image.ts';
import { hasManifest, isInOwnRepository, isOwnImage } from '../../image-references/own-registry.ts';
import { pushAddress } from '../registry/push-address.ts';
import { whyNotAuthorized } from '../registry/pusher.ts';
import type { DeployAsk } from './deploys.ts';
import type { DeploymentsDeps } from './deps.ts';

/** The pauses between looks at a push that is not judged yet. */
const JUDGED_WITHIN_MS = [20, 50, 100, 200, 400, 800];

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
export function decideRelease(base: DeploymentsDeps, app: AppTarget, ask: DeployAsk): Release {
  if (ask.rollbackOf !== undefined) return rollbackRelease(base, app, ask.rollbackOf);
  if (ask.from !== undefined) return promotedRelease(base, app, ask.from);
  if (followsLive(ask.trigger.kind)) return liveRelease(base, app, ask.trigger.kind);
  return taggedRelease(base, app, ask);
}

/**
 * Whether the engine answers, and there is room for a new image; asked before anything is recorded.
 * @throws DavitError storage_unavailable, engine_unavailable with a sentence
 */
export async function demandEngine(
  { engine, diskGuard }: DeploymentsDeps,
  kinds: readonly Trigger['kind'][],
): Promise<void> {
  const full = kinds.some(bringsImage) ? diskGuard() : null;
  if (full !== null) throw new DavitError('storage_unavailable', full, { retryAfterS: 60 });
  // Asked now and not looked up: what was seen some seconds ago would accept a deploy that cannot begin.
  await engine.info().catch((cause: Error) => {
    if (!(cause instanceof EngineUnavailable)) throw cause;
    throw new DavitError('engine_unavailable', cause.message, { cause, retryAfterS: 5 });
  });
}

/** What is or was live is here already: to run it again takes no room, and may be what saves the day. */
export function bringsImage(kind: Trigger['kind']): boolean {
  return kind !== 'rollback' && !followsLive(kind);
}

/**
 * Asks only what is near: the engine, and the instance's own registry for an image of the app's own repository there. The
 * name of the image decides, not the source of the app: an app with the source `image` may name its own repository.
 * @returns the manifest's digest where it is known by now: what is deployed even if its tag moves meanwhile
 * @throws DavitError conflict when the image is known to be absent, unavailable when the registry does not answer
 */
export async function demandImage(base: DeploymentsDeps, app: AppTarget, release: Release): Promise<string | null> {
  const { engine, registry, facts } = base;
  const { digest, image, tag } = release;
  const exact = release.rollbackOf ?? release.promotedFrom?.deployment;
  if (exact !== undefined) {
    if (await isHere(engine, release)) return digest;
    if (await isInOwnRegistry(base, app, release)) return digest;
    if (isElsewhere(base, release)) return digest;
    throw new DavitError('conflict', goneImage(exact));
  }
  if (digest !== null || !isInOwnRepository(facts, app.reference, image)) return digest;
  const isLeft = leftBefore(base.store, app) !== undefined;
  const pushed = isLeft ? null : await registry.digestOf(app.reference, tag).catch(notAnswering);
  if (pushed !== null) {
    await demandAuthorized(base, app, tag, pushed);
    return pushed;
  }
  const push = `push it with «docker push ${pushAddress(base, app.reference)}:${tag}»`;
  const how = app.spec.source === 'registry' ? push : 'set the source of the app to registry and push it';
  throw new DavitError('conflict', `There is no image ${image} in the registry of this instance: ${how}.`);
}

/**
 * A push that has just ended may not be judged yet. It is waited for, and then judged like one whose user is not known.
 * @throws DavitError conflict
 */
async function demandAuthorized(
  { store, now }: DeploymentsDeps,
  app: AppTarget,
  tag: string,
  digest: string,
): Promise<void> {
  const refusal = () => {
    const push = pushOf(store, app.id, tag);
    if (push?.digest === digest) return push.outcome === 'unauthorized' ? (push.reason ?? '') : null;
    return whyNotAuthorized(store, app, null, now());
  };
  let why = refusal();
  for (const pause of JUDGED_WITHIN_MS) {
    if (why === null || pushOf(store, app.id, tag)?.digest === digest) break;
    await delay(pause);
    why = refusal();
  }
  if (why !== null) throw new DavitError('conflict', `The image of the tag ${tag} cannot be deployed. ${why}`.trim());
}

/**
 * Whether the engine has the exact image of a release. Images that are known only by a name do not count: the engine may
 * have the name for another project.
 */
async function isHere(engine: DeploymentsDeps['engine'], { imageId }: Release): Promise<boolean> {
  return imageId !== null && (await engine.findImageById(imageId)) !== null;
}

/**
 * A needed image that was pushed to the own registry is kept there, even if its tag has moved, and can be pulled again:
 * from the app's own repository, or from the one that it is promoted from.
 */
async function isInOwnRegistry(
  base: DeploymentsDeps,
  app: AppTarget,
  { image, digest, promotedFrom }: Release,
): Promise<boolean> {
  if (digest === null || !isOwnImage(base.facts, image)) return false;
  const from = promotedFrom?.app ?? promotedFromApp(base.store, app.id, digest);
  for (const name of from === undefined ? [app.reference] : [app.reference, from]) {
    if ((await base.registry.digestOf(name, digest).catch(notAnswering)) !== null) return true;
  }
  return false;
}

/**
 * Whether the image of a rollback has a digest of another registry. The deployment checks whether that registry has it.
 */
function isElsewhere({ facts }: DeploymentsDeps, { image, imageId, digest, rollbackOf }: Release): boolean {
  return rollbackOf !== null && !isOwnImage(facts, image) && hasManifest({ digest, image_id: imageId });
}

function notAnswering(cause: unknown): never {
  if (!(cause instanceof RegistryUnavailable)) throw cause;
  throw new DavitError('registry_unavailable', cause.message, { cause, retryAfterS: 5 });
}

/** Digests that were looked up, by release. */
export class LookedUp {
  readonly #digests = new Map<string, string | null>();

  set(release: Release, digest: string | null): void {
    this.#digests.set(keyOf(release), digest);
  }

  /** The release with the digest that was looked up; null if another image was looked up than that of the release. */
  at(release: Release): Release | null {
    const digest = this.#digests.get(keyOf(release));
    return digest === undefined ? null : { ...release, digest: release.digest ?? digest };
  }
}

function keyOf({ image, digest, rollbackOf, promotedFrom }: Release): string {
  return JSON.stringify([image, digest, rollbackOf, promotedFrom?.deployment ?? null]);
}

/** What is said of a release whose very image is asked for and is not in the engine any more. */
export function goneImage(deployment: number): string {
  return `The image of deployment ${deployment} is no longer here: deploy its tag instead.`;
}

function taggedRelease(base: DeploymentsDeps, app: AppTarget, ask: DeployAsk): Release {
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
function newestAsked({ store }: DeploymentsDeps, app: AppTarget): DeploymentRow | undefined {
  return openDeploymentsOfApp(store, app.id).findLast((row) => !followsLive(row.trigger_kind)) ?? liveOf(store, app.id);
}

/** Whether the settings still mean the repository that they meant for this deployment. */
function namesTheSame(base: DeploymentsDeps, app: AppTarget, { revision }: DeploymentRow): boolean {
  const then = readRevisionSpec(base, app.id, revision);
  return imageOf(then, app, base.facts) === imageOf(app.spec, app, base.facts);
}

function nothingToDeploy({ ofChange }: DeployAsk): DavitError {
  if (!ofChange) return invalidField('tag', 'required', 'is required for the first deploy of an app that has no pin.');
  return new DavitError(
    'conflict',
    'There is nothing to deploy yet, so nothing was changed: deploy a tag of the app first.',
  );
}

function rollbackRelease({ store }: DeploymentsDeps, app: AppTarget, asked: number): Release {
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

function promotedRelease({ store }: DeploymentsDeps, app: AppTarget, from: AppTarget): Release {
  const live = liveOf(store, from.id);
  if (live === undefined) {
    throw new DavitError('conflict', `Nothing is live in ${from.reference}: deploy it there, then promote it.`);
  }
  const promotedFrom = { app: from.reference, projectId: from.project.id, deployment: live.id };
  return { ...imageOfRow(live), revision: app.revision, rollbackOf: null, promotedFrom };
}

function liveRelease({ store }: DeploymentsDeps, app: AppTarget, kind: Trigger['kind']): Release {
  const live = liveOf(store, app.id);
  if (live === undefined) throw new DavitError('conflict', 'Nothing is live in this app yet: deploy it first.');
  const stopped = isStopped(store, app.id);
  if (kind !== 'start' && stopped) throw new DavitError('conflict', 'This app is stopped: start it instead.');
  if (kind === 'start') demandStartable(stopped, openDeploymentsOfApp(store, app.id)[0]);
  return sameAgain(live);
}

/** The release of a deployment as it is: its image, its settings and its variables. */
function sameAgain(row: DeploymentRow): Release {
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
