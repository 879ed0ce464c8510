import { setTimeout as delay } from 'node:timers/promises';
import { can, DavitError, invalidField, type Trigger, withTag } from '@davit/api';
import { EngineUnavailable } from '../../adapters/engine/errors.ts';
import { RegistryUnavailable } from '../../adapters/registry/registry.ts';
import type { AppTarget } from '../../app-spec/app-target.ts';
import { readRevisionSpec } from '../../app-spec/revision.ts';
import {
  type DeploymentRow,
  deploymentById,
  deploymentsOfApp,
  openDeploymentsOfApp,
  type PromotedFrom,
  promotedFromApp,
} from '../../db/tables/deployment.ts';
import { pushOf } from '../../db/tables/push.ts';
import { isStopped, liveOf } from '../../db/tables/release.ts';
import { leftBefore } from '../../db/tables/repository.ts';
import { imageOf } from '../../image-references/app-image.ts';
import { whyForeign, whyNoDigest } from '../../image-references/foreign-image.ts';
import { hasManifest, isInOwnRepository, isOwnImage } from '../../image-references/own-registry.ts';
import { pushAddress } from '../registry/push-address.ts';
import { whyNotAuthorized } from '../registry/pusher.ts';
import type { DeployRequest } from './deploys.ts';
import type { DeploymentsDeps } from './deps.ts';

/**
 * Delays in milliseconds between checks whether the user was allowed to push an image. Davit checks the permission in
 * the background, after the push.
 */
const JUDGED_WITHIN_MS = [20, 50, 100, 200, 400, 800];

/** Image and settings revision of a requested deployment that is not saved in the database yet. */
export interface Release {
  tag: string;
  image: string;
  imageId: string | null;
  digest: string | null;
  revision: number;
  rollbackOf: number | null;
  promotedFrom: PromotedFrom | null;
}

/**
 * Returns whether a deployment uses the image of the live release. Scale changes, restarts and starts of an app use
 * this image.
 */
export function followsLive(kind: Trigger['kind']): boolean {
  return kind === 'scale' || kind === 'restart' || kind === 'start';
}

/**
 * Selects the image and settings revision for a deployment request.
 * @throws DavitError invalid_input if the request and the app have no tag, not_found if a rollback names an unknown
 * deployment, conflict if there is nothing to deploy
 */
export function decideRelease(base: DeploymentsDeps, app: AppTarget, request: DeployRequest): Release {
  if (request.rollbackOf !== undefined) return rollbackRelease(base, app, request.rollbackOf);
  if (request.from !== undefined) return promotedRelease(base, app, request.from);
  if (followsLive(request.trigger.kind)) return liveRelease(base, app, request.trigger.kind);
  return taggedRelease(base, app, request);
}

/**
 * Checks that Docker responds. If the deployment needs a new image, also checks that the disk has enough space.
 * @throws DavitError storage_unavailable, engine_unavailable
 */
export async function demandEngine(
  { engine, diskGuard }: DeploymentsDeps,
  kinds: readonly Trigger['kind'][],
): Promise<void> {
  const full = kinds.some(bringsImage) ? diskGuard() : null;
  if (full !== null) throw new DavitError('storage_unavailable', full, { retryAfterS: 60 });
  // Send a request to Docker, because the stored status of Docker can be some seconds old.
  await engine.info().catch((cause: Error) => {
    if (!(cause instanceof EngineUnavailable)) throw cause;
    throw new DavitError('engine_unavailable', cause.message, { cause, retryAfterS: 5 });
  });
}

/**
 * Returns whether a deployment may pull a new image. Deployments without a new image must also work if the disk is
 * full.
 */
export function bringsImage(kind: Trigger['kind']): boolean {
  return kind !== 'rollback' && !followsLive(kind);
}

/**
 * Returns the digest of a release's image, or `null` if the digest is unknown. The function sends requests only to
 * Docker and the instance's registry.
 * @throws DavitError not_found if the registry does not have the requested tag, conflict if another image does not
 * exist, registry_unavailable
 */
export async function demandImage(
  base: DeploymentsDeps,
  app: AppTarget,
  release: Release,
  request: DeployRequest,
): Promise<string | null> {
  const { engine, registry, facts } = base;
  const { digest, image, tag } = release;
  const exact = release.rollbackOf ?? release.promotedFrom?.deployment;
  if (exact !== undefined) {
    if (await isHere(engine, release)) return digest;
    if (await isInOwnRegistry(base, app, release)) return digest;
    if (isElsewhere(base, release)) return digest;
    throw new DavitError('conflict', goneImage(exact));
  }
  /*
   * Check the image name and not the app's setting `source`. An app with the source `image` can also use its own
   * repository in the instance's registry.
   */
  if (digest !== null || !isInOwnRepository(facts, app.reference, image)) return digest;
  const isLeft = leftBefore(base.store, app) !== undefined;
  const pushed = isLeft ? null : await registry.digestOf(app.reference, tag).catch(notAnswering);
  // Use this digest for the deployment. The tag may refer to another image later, but the digest does not change.
  if (pushed !== null) {
    await demandAuthorized(base, app, tag, pushed);
    await demandContainerImage(base, app, tag, pushed);
    return pushed;
  }
  const advice =
    app.spec.source === 'registry'
      ? `Check the tag, or push the image with “docker push ${pushAddress(base, app.reference)}:${tag}”.`
      : 'Set the source of the app to “registry”, then push the image.';
  const message = `The registry of this instance has no image ${image}. ${advice}`;
  throw request.tag === undefined ? new DavitError('conflict', message) : missing('tag', message);
}

/** Creates the error for a tag or deployment in the request that does not exist. */
function missing(path: 'tag' | 'deployment', message: string): DavitError {
  return new DavitError('not_found', message, { fields: [{ path, code: 'not_found', message }] });
}

/**
 * Checks that the user who pushed a tag had the permission to push. The function waits for a short time, because Davit
 * checks pushes in the background.
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
    // Davit has not checked this push yet, so the user of the push is unknown.
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

/** Checks that a pushed tag is a container image. @throws DavitError conflict, registry_unavailable */
async function demandContainerImage(
  { registry }: DeploymentsDeps,
  { reference }: AppTarget,
  tag: string,
  digest: string,
): Promise<void> {
  if (!(await registry.isArtifact(reference, digest).catch(notAnswering))) return;
  throw new DavitError('conflict', `The tag ${tag} does not contain a container image. Deploy the tag of an image.`);
}

/**
 * Returns whether Docker has the image of a release. The function compares the image id, because another project can
 * have an image with the same name.
 */
async function isHere(engine: DeploymentsDeps['engine'], { imageId }: Release): Promise<boolean> {
  return imageId !== null && (await engine.findImageById(imageId)) !== null;
}

/**
 * Returns whether the instance's registry still has the image of a release. The function compares the digest, because
 * the tag may refer to another image now.
 */
async function isInOwnRegistry(
  base: DeploymentsDeps,
  app: AppTarget,
  { image, digest, promotedFrom }: Release,
): Promise<boolean> {
  if (digest === null || !isOwnImage(base.facts, image)) return false;
  // An image that was promoted from another app can also be in the repository of that app.
  const from = promotedFrom?.app ?? promotedFromApp(base.store, app.id, digest);
  for (const name of from === undefined ? [app.reference] : [app.reference, from]) {
    if ((await base.registry.digestOf(name, digest).catch(notAnswering)) !== null) return true;
  }
  return false;
}

/**
 * Returns whether a rollback uses an image from another registry than the instance's registry. The deployment later
 * checks that the image exists.
 */
function isElsewhere({ facts }: DeploymentsDeps, { image, imageId, digest, rollbackOf }: Release): boolean {
  return rollbackOf !== null && !isOwnImage(facts, image) && hasManifest({ digest, image_id: imageId });
}

function notAnswering(cause: unknown): never {
  if (!(cause instanceof RegistryUnavailable)) throw cause;
  throw new DavitError('registry_unavailable', cause.message, { cause, retryAfterS: 5 });
}

/**
 * Image digests for deployments. Davit requests the digests before the SQLite transaction that saves the deployments,
 * because a transaction cannot wait for responses.
 */
export class LookedUp {
  readonly #digests = new Map<string, string | null>();

  set(release: Release, digest: string | null): void {
    this.#digests.set(keyOf(release), digest);
  }

  /**
   * Adds the image digest to a release. Returns `null` if the release now has an image whose digest was not requested.
   */
  at(release: Release): Release | null {
    const digest = this.#digests.get(keyOf(release));
    return digest === undefined ? null : { ...release, digest: release.digest ?? digest };
  }
}

function keyOf({ image, digest, rollbackOf, promotedFrom }: Release): string {
  return JSON.stringify([image, digest, rollbackOf, promotedFrom?.deployment ?? null]);
}

/**
 * Returns the error message for an image that no longer exists in Docker or a registry.
 * @param deployment id of a deployment that used the image
 */
export function goneImage(deployment: number): string {
  return `The image of deployment ${deployment} does not exist any more. Deploy its tag instead.`;
}

function taggedRelease(base: DeploymentsDeps, app: AppTarget, request: DeployRequest): Release {
  const newest = newestRequested(base, app);
  const tag = request.tag ?? app.spec.tag ?? newest?.tag ?? (request.ofChange ? failedTag(base, app) : undefined);
  if (tag === undefined) throw nothingToDeploy(request);
  const repository = imageOf(app.spec, app, base.facts);
  const refused = whyForeign(base.facts, app, repository) ?? whyNoDigest(base.facts, repository, tag);
  if (refused !== null) throw new DavitError('conflict', refused);
  const own = { revision: app.revision, rollbackOf: null, promotedFrom: null };
  /*
   * A change of the app's settings must not change the image. So use the image of the newest deployment, even if the
   * tag now refers to another image.
   */
  if (request.ofChange && newest?.tag === tag && namesTheSame(base, app, newest))
    return { ...imageOfRow(newest), ...own };
  const digest = request.digest ?? null;
  return { tag, image: withTag(repository, tag), imageId: null, digest, ...own };
}

/**
 * Returns the newest waiting or running deployment of the app, or the live deployment. The function ignores scale
 * changes, restarts and starts, because they only repeat a release.
 */
function newestRequested({ store }: DeploymentsDeps, app: AppTarget): DeploymentRow | undefined {
  return openDeploymentsOfApp(store, app.id).findLast((row) => !followsLive(row.trigger_kind)) ?? liveOf(store, app.id);
}

/**
 * Returns the tag of the app's last deployment if this deployment failed. A change of settings then tries the tag again
 * if the app has no release. The tag of a failed promotion is not returned, because its image belongs to another app.
 */
function failedTag({ store }: DeploymentsDeps, app: AppTarget): string | undefined {
  const [last] = deploymentsOfApp(store, app.id, 1);
  return last?.status === 'failed' && last.promoted_app === null ? last.tag : undefined;
}

/**
 * Returns whether the app's current settings contain the same image repository as the settings of an earlier
 * deployment.
 */
function namesTheSame(base: DeploymentsDeps, app: AppTarget, { revision }: DeploymentRow): boolean {
  const then = readRevisionSpec(base, app.id, revision);
  return imageOf(then, app, base.facts) === imageOf(app.spec, app, base.facts);
}

function nothingToDeploy({ ofChange }: DeployRequest): DavitError {
  if (!ofChange)
    return invalidField(
      'tag',
      'required',
      'The first deployment requires a tag, because the settings of the app do not contain a tag.',
    );
  return new DavitError(
    'conflict',
    'The app has no release yet, so nothing was changed. Deploy a tag of the app first.',
  );
}

function rollbackRelease({ store }: DeploymentsDeps, app: AppTarget, requestedId: number): Release {
  const target = deploymentById(store, requestedId);
  if (!target || target.app_id !== app.id)
    throw missing('deployment', `The app has no deployment ${requestedId}. List the deployments of the app.`);
  if (!can.rollBackTo(target)) {
    throw new DavitError(
      'conflict',
      `Cannot roll back to deployment ${requestedId}, because its status is ${target.status}. Choose a deployment that succeeded.`,
    );
  }
  return { ...sameAgain(target), rollbackOf: requestedId };
}

function promotedRelease({ store }: DeploymentsDeps, app: AppTarget, from: AppTarget): Release {
  const live = liveOf(store, from.id);
  if (live === undefined) {
    throw new DavitError('conflict', `${from.reference} has no live release to promote. Deploy it first.`);
  }
  const promotedFrom = { app: from.reference, projectId: from.project.id, deployment: live.id };
  return { ...imageOfRow(live), revision: app.revision, rollbackOf: null, promotedFrom };
}

function liveRelease({ store }: DeploymentsDeps, app: AppTarget, kind: Trigger['kind']): Release {
  const live = liveOf(store, app.id);
  if (live === undefined)
    throw new DavitError('conflict', `${app.reference} has no live release yet. Deploy the app first.`);
  const stopped = isStopped(store, app.id);
  if (kind !== 'start' && stopped)
    throw new DavitError('conflict', `${app.reference} is stopped. Start the app instead.`);
  if (kind === 'start') demandStartable(stopped, openDeploymentsOfApp(store, app.id)[0]);
  return sameAgain(live);
}

/** Returns a release with the same image, settings and variables as an earlier deployment. */
function sameAgain(row: DeploymentRow): Release {
  return { ...imageOfRow(row), revision: row.revision, rollbackOf: null, promotedFrom: null };
}

function demandStartable(stopped: boolean, open: DeploymentRow | undefined): void {
  if (!stopped)
    throw new DavitError(
      'conflict',
      'Only a stopped app can be started, but this app is not stopped. Restart the app instead.',
    );
  if (open)
    throw new DavitError(
      'conflict',
      `Deployment ${open.id} is in progress and starts the app. Wait until it has ended.`,
    );
}

function imageOfRow({
  tag,
  image,
  image_id,
  digest,
}: DeploymentRow): Pick<Release, 'tag' | 'image' | 'imageId' | 'digest'> {
  return { tag, image, imageId: image_id, digest };
}
