/**
 * Which images are kept for releases, and which of what this instance tagged or pulled nothing needs any more. Nobody
 * else's images, names or containers are ever touched, nor the build cache.
 */
import { EngineRefused } from '../../adapters/engine/errors.ts';
import type { HeldImage } from '../../adapters/engine/image.ts';
import { heldBy } from '../../adapters/engine/names.ts';
import { setReleased } from '../../db/tables/held-image.ts';
import { isAskedFor } from '../../db/tables/pulled-image.ts';
import type { ImagesDeps } from './deps.ts';
import { type KeptFor, reasonToKeep } from './kept-for.ts';
import { settleHeld } from './missing.ts';
import { dropPulled, settlePulled, unneededPulled } from './pulled.ts';
import { isKeptUnrecorded, noteUnrecordedImages } from './unrecorded.ts';

type Parts = Pick<ImagesDeps, 'engine' | 'store' | 'settings' | 'facts' | 'now'>;

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
export async function judgeImages(base: Parts): Promise<JudgedImage[]> {
  return judge(base, await base.engine.inspectHeld());
}

function judge(base: Parts, held: readonly HeldImage[]): JudgedImage[] {
  return held.map((image) => {
    const deployment = heldBy(image.tag);
    return { ...image, deployment, keptFor: reasonFor(base, image.tag) };
  });
}

/** What would be let go of now. @throws EngineUnavailable */
export async function whatGoes(base: Parts): Promise<Going> {
  return whatGoesOf(base, await judgeImages(base));
}

async function whatGoesOf(base: Parts, held: readonly JudgedImage[]): Promise<Going> {
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
export async function removeUnneededImages(base: Parts): Promise<Going> {
  await settlePulled(base);
  await settleHeld(base);
  const held = await base.engine.inspectHeld();
  noteUnrecordedImages(base, held);
  const { images, names, freedBytes } = await whatGoesOf(base, judge(base, held));
  const gone: Going = { images: [], names: [], freedBytes };
  base.store.trail.demandRights();
  for (const image of images) {
    // Looked at again: while the others went, a deployment may have begun that goes back to this one.
    if (reasonFor(base, image.tag) !== null) continue;
    base.store.tx((tx) => setReleased(tx, image.deployment));
    if (await unlessRefused(() => base.engine.releaseImage(image.tag).then(() => true))) gone.images.push(image);
  }
  for (const name of names) {
    if (isAskedFor(base.store, name.reference)) continue;
    if (await unlessRefused(() => dropPulled(base, name.reference, name.imageId))) gone.names.push(name);
  }
  return gone;
}

function reasonFor({ store, settings, now }: Parts, tag: string): KeptFor {
  if (isKeptUnrecorded(store, tag, now())) return 'unrecorded';
  return reasonToKeep(store, heldBy(tag), settings().images.keep);
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
    if (!sizes.has(imageId)) sizes.set(imageId, (await engine.findImageById(imageId))?.sizeBytes ?? 0);
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
