/**
 * Checks after a pull that a registry has the whole image that the engine got for its manifest. An engine does not download
 * what it already has, from any source. So a manifest alone, with known digests, would give access to another project's
 * image.
 */
import type { Image } from '../../engine/image.ts';
import type { Session } from './gateway.ts';
import { blobsOf, type ImageParts } from './manifest.ts';
import type { Manifest, RemoteRegistry } from './remote-registry.ts';
import { demandBlob, type OpenBlob } from './verified.ts';
import { demandAllOf, demandConfiguration, demandOneOf, maxUnpackedBytes, type WholeCheck } from './whole-image.ts';

/** What repositories were seen to have. A manifest that was seen as a layer or a configuration is no known image. */
export interface Possession {
  /** @param repository with its host */
  isKnownBlob: (repository: string, digest: string) => boolean;
  isKnownImage: (repository: string, image: KnownImage) => boolean;
  /** @param blobs digests of its layers and its configuration */
  remember: (repository: string, image: KnownImage, blobs: string[]) => void;
}

/** A manifest, and the image that the engine got for it. */
export interface KnownImage {
  /** Of the manifest. */
  digest: string;
  imageId: string;
}

export interface PulledImage {
  registry: Pick<RemoteRegistry, 'blob'>;
  session: Pick<Session, 'tree' | 'sent'>;
  /** With its host. */
  repository: string;
  /** Of the manifest that was pulled. */
  digest: string;
  image: Pick<Image, 'id' | 'sizeBytes'>;
  possession: Possession;
  signal: AbortSignal;
}

/**
 * Called after a pull: downloads and verifies what the engine did not, once for each repository.
 * @throws RemoteProblem for what the registry does not have; the signal's reason
 */
export async function demandPossession(pulled: PulledImage): Promise<void> {
  const { registry, repository, digest, image, possession, signal } = pulled;
  const known = { digest, imageId: image.id };
  if (possession.isKnownImage(repository, known)) return;
  const open: OpenBlob = (blob, by) => registry.blob(blob, { signal: by });
  const blobs = await demandPulled(pulled, { open, maxBytes: maxUnpackedBytes(image.sizeBytes), signal });
  possession.remember(repository, known, blobs);
}

/** @returns digests of what the registry was seen to have */
async function demandPulled({ session, repository, digest, image, possession }: PulledImage, check: WholeCheck) {
  const { tree, sent } = session;
  // With the image store of containerd, the id of an image does not tell which image of the index runs.
  if (image.id === digest) return demandAllOf(partsOf(await tree.linuxImages(check.signal)), check);
  const [used = null] = partsOf([await tree.usedFor(image.id, check.signal)]);
  // An engine compares the layers of a manifest with a configuration only if it downloads the configuration.
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
