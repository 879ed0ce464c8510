import { EngineRefused, ImageNotFound } from '../../engine/errors.ts';
import type { Image } from '../../engine/image.ts';
import { heldTag } from '../../engine/names.ts';
import { beginPull, claimManifest, endPull } from '../../release/pulled.ts';
import { isOwnImage, registryAuthFor } from '../../release/registry.ts';
import { sentence } from '../../release/sentence.ts';
import { setResolved } from '../../store/deployment-life.ts';
import { followsLive, goneImage } from '../decide.ts';
import { pastGap } from '../past-gap.ts';
import { DeployFailed, type Step, type Work } from '../work.ts';

const DEFAULT_PORT = 8080;

/** Finds the exact image, so that every later step and every restart of a container means the same bytes. */
export const resolve: Step = {
  name: 'resolve',
  phase: 'resolving',
  async run(work, signal) {
    const { image_id, tag } = work.row();
    if (image_id !== null && (await known(work, image_id, signal))) return;
    demandNoOther(work);
    const image = sought(work);
    const local = await work.base.engine.findImage(image, signal);
    // What has the very digest is that image, whatever its tag names by now.
    const isExact = pushedDigest(work) !== null;
    if (local && isExact) claimManifest(work.base, image, local.id);
    if (local && (isExact || pullPolicy(work, tag) === 'missing')) return recordAgain(work, local);
    const digest = await askRegistry(work, image, local !== null, signal);
    if (local?.digest === digest) recordAgain(work, local);
  },
};

/** A registry that does not have the image, or does not answer, is told of at once and not after a long pull. */
async function askRegistry(work: Work, image: string, isHere: boolean, signal: AbortSignal): Promise<string> {
  const { resolveMs } = work.limits;
  const deadline = AbortSignal.timeout(resolveMs);
  try {
    const either = AbortSignal.any([signal, deadline]);
    const ask = () => work.base.engine.findRemoteImage(image, registryAuthFor(work.base, image), either);
    return await pastGap(work.base, image, either, ask);
  } catch (cause) {
    if (!deadline.aborted && !(cause instanceof EngineRefused)) throw cause;
    const hint = isHere ? ' The engine has one of that name: set pull to «missing» to use it.' : '';
    throw new DeployFailed(`${whyNotFound(image, deadline.aborted ? null : cause, resolveMs)}${hint}`, [], { cause });
  }
}

/** @param cause what the registry or the way to it said; null: nothing in time */
function whyNotFound(image: string, cause: unknown, resolveMs: number): string {
  if (cause === null) return `${image} cannot be looked up: its registry did not answer within ${resolveMs / 1_000} s.`;
  const words = (cause as Error).message.replace(/^ask the registry for \S+: /, '');
  if (cause instanceof ImageNotFound) return sentence(`There is no image ${image} in its registry: ${words}`);
  return `${image} cannot be looked up: ${sentence(words)} Check its name, and this machine’s network and DNS.`;
}

/** Fetches the image, unless the engine has it and the policy is content with that. */
export const pull: Step = {
  name: 'pull',
  phase: 'pulling',
  async run(work, signal) {
    const { image_id } = work.row();
    if (image_id !== null && (await known(work, image_id, signal))) return;
    demandNoOther(work);
    const image = sought(work);
    const deadline = AbortSignal.timeout(work.limits.pullMs);
    try {
      recordAgain(work, await fetched(work, image, AbortSignal.any([signal, deadline])));
    } catch (error) {
      if (deadline.aborted)
        throw new DeployFailed(`${image} was not pulled within ${work.limits.pullMs / 60_000} minutes.`);
      throw error instanceof EngineRefused
        ? new DeployFailed(sentence(`${image} cannot be pulled: ${error.message}`), [], { cause: error })
        : error;
    }
  },
};

/** Pulls it, with a note of who brought the name to the engine, so that it can be taken away again one day. */
async function fetched({ base }: Work, image: string, signal: AbortSignal): Promise<Image> {
  await beginPull(base, image, signal);
  const pull = () => base.engine.pullImage(image, registryAuthFor(base, image), signal);
  const found = await pastGap(base, image, signal, pull);
  endPull(base, image, found.id);
  return found;
}

/** Keeps the image for as long as this release may be live or gone back to. */
export const hold: Step = {
  name: 'hold',
  phase: 'pulling',
  async run(work) {
    await work.base.engine.holdImage(imageId(work), tagOf(work));
  },
  async undo(work) {
    await work.base.engine.releaseImage(tagOf(work));
  },
};

/** The image that the deployment was resolved to. */
export function imageId(work: Work): string {
  const id = work.row().image_id;
  if (id === null) throw new DeployFailed(`${work.row().image} was not resolved.`);
  return id;
}

function tagOf(work: Work): string {
  return heldTag(work.base.facts.id, work.app.reference, work.deploymentId);
}

async function known(work: Work, id: string, signal: AbortSignal): Promise<boolean> {
  const image = await work.base.engine.findImage(id, signal);
  // A rollback brings its image id along; the port and the health check are read from the image again.
  if (image && work.row().phase === 'resolving') record(work, image);
  return image !== null;
}

/**
 * The image of a rollback or a promotion is that one: what has its tag by now may be another. What was pushed here is
 * pulled again by its manifest.
 */
function demandNoOther(work: Work): void {
  const { rollback_of, promoted_deployment } = work.row();
  if (pushedDigest(work) !== null) return;
  const of = rollback_of ?? promoted_deployment;
  if (of !== null) throw new DeployFailed(goneImage(of));
}

function pullPolicy(work: Work, tag: string): 'missing' | 'always' {
  return work.spec.pull ?? (tag === 'latest' ? 'always' : 'missing');
}

/**
 * The name to look for: of what was pushed here, and where what is live is to run again, that of its very manifest, as
 * far as a registry has one.
 */
function sought(work: Work): string {
  const { image, image_id, digest, trigger_kind } = work.row();
  const hasManifest = followsLive(trigger_kind) && digest !== null && digest !== image_id;
  const manifest = hasManifest ? digest : pushedDigest(work);
  return manifest === null ? image : `${image.slice(0, image.lastIndexOf(':'))}@${manifest}`;
}

/** The manifest that was found in the instance's own registry before the deployment began; null for an image from elsewhere. */
function pushedDigest({ base, row }: Work): string | null {
  const { image, image_id, digest } = row();
  return isOwnImage(base.facts, image) && digest !== image_id ? digest : null;
}

/**
 * Records an image that was found by its name. Where what is live is to run again and no registry knows its manifest, the
 * name must still mean that image: a restart brings no other release.
 */
function recordAgain(work: Work, image: Image): void {
  const { trigger_kind, digest, image: name } = work.row();
  if (followsLive(trigger_kind) && digest !== null && digest !== (image.digest ?? image.id)) {
    throw new DeployFailed(
      `The image that is live is no longer here, and ${name} means another one by now: deploy it.`,
    );
  }
  record(work, image);
}

function record(work: Work, image: Image): void {
  const resolved = {
    imageId: image.id,
    // One image may have been pushed as several manifests: it is this one that was asked for.
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
