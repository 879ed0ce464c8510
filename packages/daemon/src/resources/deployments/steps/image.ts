import { count, DOCKER_HUB, familiarRepository, type WorkProblemCode } from '@davit/api';
import { unlessAborted } from '@davit/service';
import { EngineRefused } from '../../../adapters/engine/errors.ts';
import type { Image } from '../../../adapters/engine/image.ts';
import { heldTag } from '../../../adapters/engine/names.ts';
import { workProblemCode } from '../../../adapters/engine/work-problem.ts';
import { sentence } from '../../../app-spec/sentence.ts';
import { setResolved } from '../../../db/tables/deployment-life.ts';
import { setHeld, setReleased } from '../../../db/tables/held-image.ts';
import { type ImageOwner, registryAuthFor } from '../../../image-references/credentials.ts';
import { hasManifest, imageReference, nameInOwnRepository } from '../../../image-references/own-registry.ts';
import { beginPull, claimManifest, endPull } from '../../images/pulled.ts';
import { followsLive, goneImage } from '../decide.ts';
import { findLocalImage, isEnough, pushedDigest, sought } from '../local-image.ts';
import { usableTags } from '../local-tags.ts';
import { pastGap } from '../past-gap.ts';
import { linkPromoted } from '../promoted-image.ts';
import { DeployFailed, type Step, type Work } from '../work.ts';

const DEFAULT_PORT = 8080;

/**
 * Step that finds the image id for an image name. All later steps use this image id. So the deployment uses the same
 * image even if the tag refers to another image later.
 */
export const resolve: Step = {
  name: 'resolve',
  phase: 'resolving',
  async run(work, signal) {
    const { image_id, tag } = work.row();
    const isLocal = image_id !== null && (await known(work, image_id, signal));
    await linkPromoted(work, isLocal, signal);
    if (isLocal) return;
    demandNoOther(work);
    const image = sought(work);
    const local = await findLocalImage(work, signal);
    if (local?.isExact) claimManifest(work.base, image, local.image.id);
    if (local !== null && isEnough(local, work.spec, tag)) return recordAgain(work, local.image);
    /*
     * Send a request to the registry even if Docker has the image. Only the registry can check whether this project may
     * use the image.
     */
    const digest = await requestDigest(work, image, local !== null, signal);
    if (local?.image.digest === digest) recordAgain(work, local.image);
  },
};

/**
 * Requests an image's digest from the registry. If the image does not exist, the deployment then fails at once and not
 * after a long pull.
 */
async function requestDigest(work: Work, image: string, isHere: boolean, signal: AbortSignal): Promise<string> {
  const { resolveMs } = work.limits;
  const deadline = AbortSignal.timeout(resolveMs);
  try {
    const either = AbortSignal.any([signal, deadline]);
    const auth = registryAuthFor(work.base, image, ownerOf(work));
    const query = () => work.base.engine.findRemoteImage(image, auth, either);
    /*
     * After an abort, do not wait for the registry's response. The request may continue, because it changes nothing in
     * the registry.
     */
    return await unlessAborted(pastGap(work.base, image, either, query), either);
  } catch (cause) {
    const isSlow = deadline.aborted && !signal.aborted;
    if (!isSlow && !(cause instanceof EngineRefused)) throw cause;
    const why = isSlow ? `The registry of ${image} did not respond within ${resolveMs / 1_000} s.` : messageOf(cause);
    const code = isSlow ? 'registry_unreachable' : workProblemCode(cause);
    const message = isHere ? `${why}${pullAdvice(work)}` : await withBuiltAdvice(work, image, { why, code }, signal);
    throw new DeployFailed(message, [], { cause, ...(code && { code }) });
  }
}

/** Returns how to deploy the local image if the pull policy requires a request to the registry. */
function pullAdvice({ spec }: Work): string {
  const byTag = spec.pull === undefined ? ' or use another tag than “latest”,' : '';
  return ` Set pull to “missing”,${byTag} to deploy the local image with this name.`;
}

/** Error of a registry: its message and its code. The code is `null` if the registry's error has no code. */
interface RegistryRefusal {
  why: string;
  code: WorkProblemCode | null;
}

/**
 * Returns the error message for an image that users may expect in Docker. A name without a registry can also be the name
 * of an image that a user built. If so, users do not mean the registry, so the message leaves out the registry's error.
 * The text must be the same if Docker has such an image of another project.
 */
async function withBuiltAdvice(
  { base, app }: Work,
  image: string,
  { why, code }: RegistryRefusal,
  signal: AbortSignal,
): Promise<string> {
  const reference = imageReference(base.facts, image);
  if (reference?.host !== DOCKER_HUB || reference.digest !== null) return why;
  const name = familiarRepository(reference);
  const [newest] = await usableTags(base, app, reference, signal);
  if (newest === undefined)
    return `${why} On the server, the image ${name} does not exist, or the project may use it only with access to its registry. Build or load the image there, or push it to a registry that the server can reach.`;
  const missing = `On the server, ${name} has no tag ${reference.tag}, or the project may use this tag only with access to its registry. Deploy another tag, such as ${newest.tag}, or build this tag there.`;
  // An image that Docker pulled has a digest. Docker Hub has no private address that an admin could allow.
  const isRegistryMeant = newest.digest !== null && code !== 'registry_not_public';
  return isRegistryMeant ? `${why} ${missing}` : `${missing} Davit also could not get the tag from ${reference.host}.`;
}

function messageOf(cause: unknown): string {
  return sentence((cause as Error).message);
}

/**
 * Step that pulls the image. If Docker has the image and the app's pull policy allows it, the step does not pull the
 * image.
 */
export const pull: Step = {
  name: 'pull',
  phase: 'pulling',
  async run(work, signal) {
    const { image_id } = work.row();
    if (image_id !== null && (await known(work, image_id, signal))) return;
    demandNoOther(work);
    const image = sought(work);
    using _ = await work.pulling.turn(work.app.project.id, signal);
    const deadline = AbortSignal.timeout(work.limits.pullMs);
    try {
      recordAgain(work, await fetchImage(work, image, AbortSignal.any([signal, deadline])));
    } catch (error) {
      if (deadline.aborted && !signal.aborted) {
        const message = `The image ${image} could not be pulled within ${count(work.limits.pullMs / 60_000, 'minute')}.`;
        throw new DeployFailed(message, [], { code: 'image_pull_failed' });
      }
      if (!(error instanceof EngineRefused)) throw error;
      const code = workProblemCode(error);
      throw new DeployFailed(messageOf(error), [], { cause: error, ...(code && { code }) });
    }
  },
};

/** Pulls an image and saves the image name in the database. Davit needs this name to remove the image later. */
export async function fetchImage(work: Work, image: string, signal: AbortSignal): Promise<Image> {
  const { base } = work;
  await beginPull(base, image, signal);
  const auth = registryAuthFor(base, image, ownerOf(work));
  const pull = () => base.engine.pullImage(image, auth, signal, work.app.project.id);
  const found = await pastGap(base, image, signal, pull);
  endPull(base, image, found.id);
  return found;
}

function ownerOf({ app }: Work): ImageOwner {
  return { appId: app.id, projectId: app.project.id };
}

/**
 * Step that adds a tag to the image in Docker. With this tag, Docker keeps the image while the release is live or a
 * rollback to it is possible.
 */
export const hold: Step = {
  name: 'hold',
  phase: 'pulling',
  async run(work) {
    await work.base.engine.holdImage(imageId(work), tagOf(work));
    work.base.store.tx((tx) => setHeld(tx, work.deploymentId));
  },
  async undo(work) {
    work.base.store.tx((tx) => setReleased(tx, work.deploymentId));
    await work.base.engine.releaseImage(tagOf(work));
  },
};

/**
 * Returns the Docker image id that an earlier deployment step has saved.
 * @throws DeployFailed if no image id is saved
 */
export function imageId(work: Work): string {
  const id = work.row().image_id;
  if (id === null) throw new DeployFailed(`The image ${nameOf(work)} was not found in the first step. Deploy again.`);
  return id;
}

/**
 * Returns the image name for messages to users. If the image was copied from another app, the name must not contain the
 * name of that app.
 */
export function nameOf({ base, app, row }: Pick<Work, 'base' | 'app' | 'row'>): string {
  const { image, digest, image_id } = row();
  return nameInOwnRepository(base.facts, app.reference, image, hasManifest({ digest, image_id }) ? digest : null);
}

function tagOf(work: Work): string {
  return heldTag(work.base.facts.id, work.app.reference, work.deploymentId);
}

async function known(work: Work, id: string, signal: AbortSignal): Promise<boolean> {
  const image = await work.base.engine.findImageById(id, signal);
  const { phase, digest } = work.row();
  /*
   * For a rollback or restart, the image id and digest are already saved. So save only the port and the health check of
   * the image.
   */
  if (image && phase === 'resolving') record(work, { ...image, digest });
  return image !== null;
}

/**
 * Checks that a rollback or promotion uses the same image as before. The check compares the digest, because another
 * image may have the same tag now.
 * @throws DeployFailed
 */
function demandNoOther(work: Work): void {
  const { rollback_of, promoted_deployment } = work.row();
  if (pushedDigest(work) !== null || (rollback_of !== null && hasManifest(work.row()))) return;
  const of = rollback_of ?? promoted_deployment;
  if (of !== null) throw new DeployFailed(goneImage(of));
}

/**
 * Saves the image that Docker found by its name. The function also checks that a restart does not change the image of
 * the live release.
 * @throws DeployFailed
 */
function recordAgain(work: Work, image: Image): void {
  const { trigger_kind, digest } = work.row();
  if (followsLive(trigger_kind) && digest !== null && digest !== (image.digest ?? image.id)) {
    throw new DeployFailed(
      `The image of the live release does not exist any more, and ${nameOf(work)} now refers to a different image. Deploy this tag.`,
    );
  }
  record(work, image);
}

function record(work: Work, image: Image): void {
  const resolved = {
    imageId: image.id,
    // If the deployment request has a digest, use this digest, because Docker may have several digests for one image.
    digest: pushedDigest(work) ?? image.digest ?? image.id,
    port: portOf(work, image),
    healthcheck: image.hasHealthcheck,
  };
  work.base.store.tx((tx) => setResolved(tx, work.deploymentId, resolved));
}

function portOf({ spec }: Work, image: Image): number | null {
  if (spec.port !== undefined) return spec.port;
  return image.exposedPorts.length === 1 ? (image.exposedPorts[0] ?? DEFAULT_PORT) : DEFAULT_PORT;
}
