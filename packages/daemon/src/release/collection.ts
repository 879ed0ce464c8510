/**
 * Which images are kept for releases, and which of what this instance tagged or pulled nothing needs any more. Nobody
 * else's images, names or containers are ever touched, nor the build cache.
 */
import { isTerminal, type HeldImage as Presented } from '@davit/api';
import { EngineRefused } from '../engine/errors.ts';
import type { HeldImage } from '../engine/image.ts';
import { heldBy } from '../engine/names.ts';
import { deploymentById, openDeploymentFrom } from '../store/deployment.ts';
import { isAskedFor } from '../store/pulled-image.ts';
import { liveOf, needsImage } from '../store/release.ts';
import type { Reader } from '../store/store.ts';
import type { Base } from './base.ts';
import { dropPulled, settlePulled, unneededPulled } from './pulled.ts';

type Parts = Pick<Base, 'engine' | 'store' | 'settings' | 'now'>;

export type KeptFor = Presented['kept_for'];

/** A tag of ours, and why it stays. */
export interface JudgedImage extends HeldImage {
  /** The deployment whose image it holds. */
  deployment: number;
  keptFor: KeptFor;
}

export interface Going {
  images: JudgedImage[];
  /** Names under which we pulled such images. */
  names: { reference: string; imageId: string }[];
  /** At most: layers that other images share stay. */
  freedBytes: number;
}

/** Every tag of ours that the engine has, by tag. @throws EngineUnavailable */
export async function judgeImages({ engine, store, settings }: Parts): Promise<JudgedImage[]> {
  const held = await engine.inspectHeld();
  const { keep } = settings().images;
  return held.map((image) => {
    const deployment = heldBy(image.tag);
    return { ...image, deployment, keptFor: reasonToKeep(store, deployment, keep) };
  });
}

/** What would be let go of now. @throws EngineUnavailable */
export async function whatGoes(base: Parts): Promise<Going> {
  const held = await judgeImages(base);
  const images = held.filter(({ keptFor }) => keptFor === null);
  const kept = new Set(held.filter(({ keptFor }) => keptFor !== null).map(({ imageId }) => imageId));
  const isNeeded = (imageId: string, name: string) => kept.has(imageId) || isAskedFor(base.store, name);
  const names = base.settings().images.forget_pulled ? unneededPulled(base, isNeeded) : [];
  return { images, names, freedBytes: await bytesOf(base, kept, images, names) };
}

/**
 * Lets go of what nothing needs. What the engine refuses stays for the next time and is not in the answer.
 * @throws EngineUnavailable
 */
export async function collectImages(base: Parts): Promise<Going> {
  await settlePulled(base);
  const { images, names, freedBytes } = await whatGoes(base);
  const gone: Going = { images: [], names: [], freedBytes };
  for (const image of images) {
    // Looked at again: while the others went, a deployment may have begun that goes back to this one.
    if (reasonToKeep(base.store, image.deployment, base.settings().images.keep) !== null) continue;
    if (await unlessRefused(() => base.engine.releaseImage(image.tag).then(() => true))) gone.images.push(image);
  }
  for (const name of names) {
    if (isAskedFor(base.store, name.reference)) continue;
    if (await unlessRefused(() => dropPulled(base, name.reference, name.imageId))) gone.names.push(name);
  }
  return gone;
}

function reasonToKeep(db: Reader, deployment: number, keep: number): KeptFor {
  const row = deploymentById(db, deployment);
  if (row === undefined) return null;
  if (!isTerminal(row.status) || openDeploymentFrom(db, deployment) !== undefined) return 'unfinished';
  if (liveOf(db, row.app_id)?.id === deployment) return 'live';
  return needsImage(db, deployment, keep) ? 'rollback' : null;
}

/** Each image once, whatever the number of its names; those that something else still holds not at all. */
async function bytesOf(
  { engine }: Parts,
  kept: Set<string>,
  images: Going['images'],
  names: Going['names'],
): Promise<number> {
  const sizes = new Map(images.map(({ imageId, sizeBytes }) => [imageId, sizeBytes]));
  for (const { imageId } of names) {
    if (!sizes.has(imageId)) sizes.set(imageId, (await engine.findImage(imageId))?.sizeBytes ?? 0);
  }
  return [...sizes].reduce((sum, [imageId, bytes]) => (kept.has(imageId) ? sum : sum + bytes), 0);
}

/** Whether it was done; false where the engine refused or a container keeps it. */
async function unlessRefused(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineRefused) return false;
    throw error;
  }
}
