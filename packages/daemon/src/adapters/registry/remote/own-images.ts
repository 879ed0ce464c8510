/**
 * Pulls from the instance's own registry, which the engine asks itself. The registry takes a manifest only into a
 * repository that has its layers, but it does not compare them with the configuration. An engine does, unless it already
 * has an image with this configuration.
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
  /** @throws RemoteProblem for a manifest that may name what its repository does not have; the signal's reason */
  readImages: (repository: string, digest: string, signal: AbortSignal) => Promise<StoredImages>;
  /** @throws RemoteProblem if the repository does not have it; the signal's reason */
  openBlob: (repository: string, digest: string, signal: AbortSignal) => Promise<Readable>;
}

export interface OwnImagesOptions {
  engine: BareEngine;
  own: OwnRegistry;
  possession: Possession;
  pulls: PullsInProgress;
}

interface OwnPull {
  /** By digest, so that what is checked is what the engine gets. */
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
   * Pulls an image, and verifies that its repository has the whole of it unless the engine does.
   * @throws RemoteProblem for an image that its repository does not have, of which no name of this repository is left at
   * the engine; what the engine throws; the signal's reason
   */
  async pull(reference: OwnPull['reference'], auth: RegistryAuth | null, signal: AbortSignal): Promise<Image> {
    const { engine, own, pulls } = this.#options;
    const stored = await own.readImages(reference.repository, reference.digest, signal);
    const configs = new Set(stored.images.map(({ config }) => config.digest));
    using pulling = pulls.begin((imageId) => configs.has(imageId));
    const pull = { reference, stored, signal };
    // Before the pull, so that no name of the image is left if the daemon ends meanwhile.
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

  /** @returns ids of the images that the engine already has and that the repository has too */
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

  /** Verifies once that the repository has the whole of an image. */
  async #demand(image: Pick<Image, 'id' | 'sizeBytes'>, { reference, stored, signal }: OwnPull): Promise<void> {
    const { possession, own } = this.#options;
    const { repository, digest } = reference;
    // No host of an image is called this, and the port of the registry may change.
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
  // With the image store of containerd, the id of an image does not tell which image of the index runs.
  if (!isComplete)
    throw new RemoteProblem('image_not_found', 'an index names images that its repository does not have');
  return demandAllOf(
    images.filter(({ mayRun }) => mayRun),
    check,
  );
}
