/**
 * Checks after a pull that a registry has the whole image of its manifest. An engine does not download a blob that it
 * already has from any source. Without this check, a manifest with known digests would give access to the image of
 * another project.
 */
import type { Image } from '../../engine/image.ts';
import type { Session } from './gateway.ts';
import { blobsOf, type ImageParts } from './manifest.ts';
import type { Manifest, RemoteRegistry } from './remote-registry.ts';
import { demandBlob, type OpenBlob } from './verified.ts';
import { demandAllOf, demandConfiguration, demandOneOf, maxUnpackedBytes, type WholeCheck } from './whole-image.ts';

/**
 * Record of the blobs and images that repositories are known to have. A manifest that was recorded as a layer or a
 * configuration does not count as a known image.
 */
export interface Possession {
  /** Returns whether a repository is known to have a blob. @param repository name with its host */
  isKnownBlob: (repository: string, digest: string) => boolean;
  isKnownImage: (repository: string, image: KnownImage) => boolean;
  /** Records an image and its blobs. @param blobs digests of the image's layers and its configuration */
  remember: (repository: string, image: KnownImage, blobs: string[]) => void;
}

/** A manifest and the image that the engine got for the manifest. */
export interface KnownImage {
  /** Digest of the manifest. */
  digest: string;
  imageId: string;
}

export interface PulledImage {
  registry: Pick<RemoteRegistry, 'blob'>;
  session: Pick<Session, 'tree' | 'sent'>;
  /** Name of the repository with its host. */
  repository: string;
  /** Digest of the pulled manifest. */
  digest: string;
  image: Pick<Image, 'id' | 'sizeBytes'>;
  possession: Possession;
  signal: AbortSignal;
}

/**
 * Downloads and verifies the blobs that the engine did not download. Called after each pull. Verifies an image once for
 * each repository.
 * @throws RemoteProblem if the registry lacks a blob; the reason of the signal
 */
export async function demandPossession(pulled: PulledImage): Promise<void> {
  const { registry, repository, digest, image, possession, signal } = pulled;
  const known = { digest, imageId: image.id };
  if (possession.isKnownImage(repository, known)) return;
  const open: OpenBlob = (blob, by) => registry.blob(blob, { signal: by });
  const blobs = await demandPulled(pulled, { open, maxBytes: maxUnpackedBytes(image.sizeBytes), signal });
  possession.remember(repository, known, blobs);
}

/** Verifies the blobs of a pull. @returns digests of the blobs that the registry has */
async function demandPulled({ session, repository, digest, image, possession }: PulledImage, check: WholeCheck) {
  const { tree, sent } = session;
  // With the image store of containerd, the id of an image does not show which image of the index runs.
  if (image.id === digest) return demandAllOf(partsOf(await tree.linuxImages(check.signal)), check);
  const [used = null] = partsOf([await tree.usedFor(image.id, check.signal)]);
  // An engine compares the layers of a manifest with a configuration only if the engine downloads the configuration.
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
