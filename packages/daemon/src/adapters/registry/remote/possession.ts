/**
 * Checks after a pull that the registry has all layers of the image. Without this check, a user could push a manifest
 * that names layers of another project. Docker would use such layers if it already has them.
 */
import type { Image } from '../../engine/image.ts';
import type { Session } from './gateway.ts';
import { blobsOf, type ImageParts } from './manifest.ts';
import type { Manifest, RemoteRegistry } from './remote-registry.ts';
import { demandBlob, type OpenBlob } from './verified.ts';
import { demandAllOf, demandConfiguration, demandOneOf, maxUnpackedBytes, type WholeCheck } from './whole-image.ts';

/**
 * Blobs and images that the daemon has found in repositories. Blobs and images are recorded separately, because the
 * digest of a layer must not be accepted as the digest of an image.
 */
export interface Possession {
  /**
   * Returns whether the daemon has already found a layer or an image configuration in a repository.
   * @param repository host and name of the repository
   */
  isKnownBlob: (repository: string, digest: string) => boolean;
  isKnownImage: (repository: string, image: KnownImage) => boolean;
  /**
   * Records that a repository contains an image.
   * @param blobs digests of the image's layers and its configuration
   */
  remember: (repository: string, image: KnownImage, blobs: string[]) => void;
}

/** An image with its manifest digest and its image id in Docker. */
export interface KnownImage {
  digest: string;
  imageId: string;
}

export interface PulledImage {
  registry: Pick<RemoteRegistry, 'blob'>;
  session: Pick<Session, 'tree' | 'sent'>;
  /** Host of the registry and name of the repository, for example `docker.io/library/redis`. */
  repository: string;
  /** Digest of the pulled manifest. */
  digest: string;
  image: Pick<Image, 'id' | 'sizeBytes'>;
  possession: Possession;
  signal: AbortSignal;
}

/**
 * Verifies the parts of an image that Docker did not download. Images that were already verified in this repository are
 * skipped.
 * @throws RemoteProblem, or the abort reason
 */
export async function demandPossession(pulled: PulledImage): Promise<void> {
  const { registry, repository, digest, image, possession, signal } = pulled;
  const known = { digest, imageId: image.id };
  if (possession.isKnownImage(repository, known)) return;
  const open: OpenBlob = (blob, by) => registry.blob(blob, { signal: by });
  const blobs = await demandPulled(pulled, { open, maxBytes: maxUnpackedBytes(image.sizeBytes), signal });
  possession.remember(repository, known, blobs);
}

/**
 * Verifies that the registry has all layers and the configuration of a pulled image.
 * @returns digests of the layers and of the configuration
 */
async function demandPulled({ session, repository, digest, image, possession }: PulledImage, check: WholeCheck) {
  const { tree, sent } = session;
  /*
   * The image id does not show which image of the image index Docker runs. Therefore, all images of the index are
   * checked.
   */
  if (image.id === digest) return demandAllOf(partsOf(await tree.linuxImages(check.signal)), check);
  const [used = null] = partsOf([await tree.usedFor(image.id, check.signal)]);
  /*
   * If Docker downloaded the image configuration in this pull, Docker verifies the layers. Otherwise, Davit verifies
   * the layers.
   */
  if (used === null || !sent.has(image.id))
    return demandOneOf(partsOf(await tree.imagesWith(image.id, check.signal)), check);
  await demandConfiguration(used, check);
  for (const layer of used.layers) {
    if (sent.has(layer.digest) || possession.isKnownBlob(repository, layer.digest)) continue;
    await demandBlob(check.open, layer, check.signal);
  }
  return blobsOf({ image: used }).map((blob) => blob.digest);
}

function partsOf(manifests: (Manifest | null)[]): ImageParts[] {
  return manifests.flatMap((manifest) => manifest?.image ?? []);
}
