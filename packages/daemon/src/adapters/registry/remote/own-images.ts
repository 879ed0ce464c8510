/**
 * Pulls images from the instance's own registry, which the engine contacts directly. The registry accepts a manifest
 * only if the repository has its layers. The registry does not compare the layers with the configuration. An engine
 * compares them, unless the engine already has an image with this configuration.
 */
import type { Readable } from 'node:stream';
import { formatReference, type ImageReference } from '@davit/api';
import type { BareEngine } from '../../engine/engine.ts';
import type { Image, RegistryAuth } from '../../engine/image.ts';
import type { StoredImages } from '../registry.ts';
import type { Possession } from './possession.ts';
import { RemoteProblem } from './problem.ts';
import type { PullsInProgress } from './pulls-in-progress.ts';
import type { OpenBlob } from './verified.ts';
import { demandAllOf, demandOneOf, maxUnpackedBytes, type WholeCheck } from './whole-image.ts';

export interface OwnRegistry {
  host: () => string;
  /**
   * Reads the images of a manifest.
   * @throws RemoteProblem if a manifest may name blobs that its repository does not have; the reason of the signal
   */
  readImages: (repository: string, digest: string, signal: AbortSignal) => Promise<StoredImages>;
  /** Opens a blob. @throws RemoteProblem if the repository does not have the blob; the reason of the signal */
  openBlob: (repository: string, digest: string, signal: AbortSignal) => Promise<Readable>;
}

export interface OwnImagesOptions {
  engine: BareEngine;
  own: OwnRegistry;
  possession: Possession;
  pulls: PullsInProgress;
}

interface OwnPull {
  /** Reference with a digest, so that the engine gets exactly the checked manifest. */
  reference: ImageReference & { digest: string };
  stored: StoredImages;
  signal: AbortSignal;
}

export class OwnImages {
  readonly #options: OwnImagesOptions;

  constructor(options: OwnImagesOptions) {
    this.#options = options;
  }

  /**
   * Pulls an image. Verifies that its repository has the whole image, unless the engine verified the image during the
   * pull.
   * @throws RemoteProblem if the repository does not have the whole image. The engine then keeps no name with this
   * repository; errors of the engine; the reason of the signal
   */
  async pull(reference: OwnPull['reference'], auth: RegistryAuth | null, signal: AbortSignal): Promise<Image> {
    const { engine, own, pulls } = this.#options;
    const stored = await own.readImages(reference.repository, reference.digest, signal);
    const configs = new Set(stored.images.map(({ config }) => config.digest));
    using pulling = pulls.begin((imageId) => configs.has(imageId));
    const pull = { reference, stored, signal };
    // This check runs before the pull, so that the engine keeps no name of the image if the daemon ends meanwhile.
    const seen = await this.#demandExisting(configs, pull);
    const name = formatReference(reference);
    const image = await engine.pullImage(name, auth, signal);
    const isNew = configs.has(image.id) && !seen.has(image.id) && !pulling.mayHaveCome(image.id);
    if (seen.has(image.id) || (isNew && stored.isComplete)) return image;
    try {
      await this.#demand(image, pull);
      return image;
    } catch (cause) {
      await engine.untagImage(name, image.id);
      throw cause;
    }
  }

  /**
   * Verifies the images that the engine already has.
   * @returns ids of the images that the engine and the repository have
   */
  async #demandExisting(configs: Set<string>, pull: OwnPull): Promise<Set<string>> {
    const seen = new Set<string>();
    for (const config of configs) {
      const existing = await this.#options.engine.findImageById(config, pull.signal);
      if (existing === null) continue;
      await this.#demand(existing, pull);
      seen.add(config);
    }
    return seen;
  }

  /** Verifies once that the repository has the whole image. */
  async #demand(image: Pick<Image, 'id' | 'sizeBytes'>, { reference, stored, signal }: OwnPull): Promise<void> {
    const { possession, own } = this.#options;
    const { repository, digest } = reference;
    // No host of an image is called `own`. The key does not use the registry's address, because its port may change.
    const key = `own/${repository}`;
    const known = { digest, imageId: image.id };
    if (possession.isKnownImage(key, known)) return;
    const open: OpenBlob = (blob, by) => own.openBlob(repository, blob, by);
    const check = { open, maxBytes: maxUnpackedBytes(image.sizeBytes), signal };
    possession.remember(key, known, await demandStored(stored, known, check));
  }
}

async function demandStored(
  { images, isComplete }: StoredImages,
  { digest, imageId }: { digest: string; imageId: string },
  check: WholeCheck,
): Promise<string[]> {
  if (imageId !== digest)
    return demandOneOf(
      images.filter(({ config }) => config.digest === imageId),
      check,
    );
  // With the image store of containerd, the id of an image does not show which image of the index runs.
  if (!isComplete)
    throw new RemoteProblem('image_not_found', 'an index names images that its repository does not have');
  return demandAllOf(
    images.filter(({ mayRun }) => mayRun),
    check,
  );
}
