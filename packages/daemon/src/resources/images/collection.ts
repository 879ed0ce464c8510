/**
 * Removes images that Davit tagged or pulled and no longer needs. It never removes images, names or containers of other
 * programs, or the build cache.
 */
import { EngineRefused } from '../../adapters/engine/errors.ts';
import type { HeldImage } from '../../adapters/engine/image.ts';
import { heldBy } from '../../adapters/engine/names.ts';
import { setReleased } from '../../db/tables/held-image.ts';
import { isNeededByDeployment } from '../../db/tables/pulled-image.ts';
import type { ImagesDeps } from './deps.ts';
import { settleHeld } from './missing.ts';
import { dropPulled, settlePulled, unneededPulled } from './pulled.ts';
import { type KeptFor, reasonToKeep } from './retention.ts';
import { isKeptUnrecorded, noteUnrecordedImages } from './unrecorded.ts';

type Parts = Pick<ImagesDeps, 'engine' | 'store' | 'settings' | 'facts' | 'now'>;

/** Docker image tag that Davit created for a deployment, and the reason why Davit keeps the image. */
export interface JudgedImage extends HeldImage {
  deployment: number;
  keptFor: KeptFor;
}

export interface Going {
  images: JudgedImage[];
  /** Names of images that Davit has pulled and no longer needs. */
  names: { reference: string; imageId: string }[];
  /**
   * Estimated disk space in bytes that a garbage collection would free. Layers that other images share are not freed.
   */
  freedBytes: number;
}

/**
 * Returns all image tags of Davit. Each tag has the reason why Davit must keep the image, or `null` if Davit may remove
 * it.
 * @throws EngineUnavailable
 */
export async function judgeImages(base: Parts): Promise<JudgedImage[]> {
  return judge(base, await base.engine.inspectHeld());
}

function judge(base: Parts, held: readonly HeldImage[]): JudgedImage[] {
  return held.map((image) => {
    const deployment = heldBy(image.tag);
    return { ...image, deployment, keptFor: reasonFor(base, image.tag) };
  });
}

/**
 * Returns the images and image names that a garbage collection of images would remove now.
 * @throws EngineUnavailable
 */
export async function whatGoes(base: Parts): Promise<Going> {
  return whatGoesOf(base, await judgeImages(base));
}

async function whatGoesOf(base: Parts, held: readonly JudgedImage[]): Promise<Going> {
  const images = held.filter(({ keptFor }) => keptFor === null);
  const kept = new Set(held.filter(({ keptFor }) => keptFor !== null).map(({ imageId }) => imageId));
  const isNeeded = (imageId: string, name: string) => kept.has(imageId) || isNeededByDeployment(base.store, name);
  const names = base.settings().images.forget_pulled ? unneededPulled(base, isNeeded) : [];
  return { images, names, freedBytes: await bytesOf(base, kept, images, names) };
}

/**
 * Removes images and image names that are not needed, and returns them. If Docker refuses a removal, the next garbage
 * collection tries again.
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
    // Check again whether the image is still needed, because a rollback to this image may have started.
    if (reasonFor(base, image.tag) !== null) continue;
    base.store.tx((tx) => setReleased(tx, image.deployment));
    if (await unlessRefused(() => base.engine.releaseImage(image.tag).then(() => true))) gone.images.push(image);
  }
  for (const name of names) {
    if (isNeededByDeployment(base.store, name.reference)) continue;
    if (await unlessRefused(() => dropPulled(base, name.reference, name.imageId))) gone.names.push(name);
  }
  return gone;
}

function reasonFor({ store, settings, now }: Parts, tag: string): KeptFor {
  if (isKeptUnrecorded(store, tag, now())) return 'unrecorded';
  return reasonToKeep(store, heldBy(tag), settings().images.keep);
}

/**
 * Returns the total size in bytes of the images to remove. An image with several tags is added only once. An image that
 * keeps at least one tag is not added.
 */
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

/**
 * Removes an image from Docker.
 * @returns whether Docker removed the image. Docker refuses, for example, if a container uses the image.
 */
async function unlessRefused(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineRefused) return false;
    throw error;
  }
}
