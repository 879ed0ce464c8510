/**
 * Pulls images from the Davit instance's own registry. The registry does not check whether the layers match the image
 * configuration. Docker checks this only for images that it downloads. The daemon checks all other images.
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
   * Reads an image manifest, or all image manifests of an image index.
   * @throws RemoteProblem if a manifest is invalid or the registry does not respond, or the abort reason
   */
  readImages: (repository: string, digest: string, signal: AbortSignal) => Promise<StoredImages>;
  /**
   * Starts the download of a layer or an image configuration.
   * @throws RemoteProblem if the repository does not have the blob, or the abort reason
   */
  openBlob: (repository: string, digest: string, signal: AbortSignal) => Promise<Readable>;
}

export interface OwnImagesOptions {
  engine: BareEngine;
  own: OwnRegistry;
  possession: Possession;
  pulls: PullsInProgress;
}

interface OwnPull {
  /** Image reference with a digest. With the digest, Docker pulls exactly the manifest that the daemon has checked. */
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
   * Pulls an image and verifies the parts that Docker did not verify. If a part is missing, the image name is removed
   * from Docker.
   * @throws RemoteProblem, errors of Docker, or the abort reason
   */
  async pull(reference: OwnPull['reference'], auth: RegistryAuth | null, signal: AbortSignal): Promise<Image> {
    const { engine, own, pulls } = this.#options;
    const stored = await own.readImages(reference.repository, reference.digest, signal);
    const configs = new Set(stored.images.map(({ config }) => config.digest));
    using pulling = pulls.begin((imageId) => configs.has(imageId));
    const pull = { reference, stored, signal };
    /*
     * Images that Docker already has are verified before the pull gives them a name. If they were verified after the
     * pull, a crash could prevent the verification.
     */
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
   * Verifies the images of the repository that Docker already has.
   * @returns ids of the verified images
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

  /**
   * Verifies that the repository has the whole image. Images that were already verified in this repository are skipped.
   */
  async #demand(image: Pick<Image, 'id' | 'sizeBytes'>, { reference, stored, signal }: OwnPull): Promise<void> {
    const { possession, own } = this.#options;
    const { repository, digest } = reference;
    // The key contains `own` instead of the registry's host name, because the host name can change.
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
  /*
   * The image id does not show which image of the image index Docker runs. Therefore, all images of the index are
   * checked.
   */
  if (!isComplete)
    throw new RemoteProblem('image_not_found', 'the image index lists images that the repository does not have');
  return demandAllOf(
    images.filter(({ mayRun }) => mayRun),
    check,
  );
}
