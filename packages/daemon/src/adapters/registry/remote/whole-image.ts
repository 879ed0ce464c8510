/**
 * Verifies that a repository has all parts of an image. The image configuration contains only the digests of
 * decompressed layers, so the daemon decompresses each layer.
 */
import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { diffIdsOf } from './configuration.ts';
import type { Blob, ImageParts } from './manifest.ts';
import { RemoteProblem } from './problem.ts';
import { type OpenBlob, verified } from './verified.ts';

/**
 * Maximum number of manifests with the same image configuration that are checked in an image index. In practice, image
 * indexes contain fewer such manifests.
 */
const MAX_CANDIDATES = 10;
/**
 * Chunk size in bytes for decompression. The size is larger than the Node.js default, because each chunk needs time in
 * the event loop.
 */
const CHUNK_BYTES = 256 * 1024;

export interface WholeCheck {
  open: OpenBlob;
  /** Maximum total size of an image's decompressed layers in bytes. */
  maxBytes: number;
  signal: AbortSignal;
}

/**
 * Returns the maximum total size of an image's decompressed layers in bytes. Without a limit, a small compressed layer
 * could keep the daemon busy for hours.
 */
export function maxUnpackedBytes(sizeBytes: number): number {
  /*
   * The limit is generous, because Docker's image size excludes file headers and padding. With the containerd image
   * store, the size can also be the compressed size.
   */
  return 10 * sizeBytes + 4 * 1024 ** 3;
}

/**
 * Verifies images with the same configuration until one image is complete. The most likely image comes first.
 * @returns digests of the complete image's configuration and layers
 * @throws RemoteProblem of the first image if no image is complete
 */
export async function demandOneOf(candidates: ImageParts[], check: WholeCheck): Promise<string[]> {
  let first: RemoteProblem | null = null;
  const unpacked = { left: check.maxBytes };
  for (const image of candidates.slice(0, MAX_CANDIDATES)) {
    try {
      // One complete image is enough, because images with the same configuration have the same decompressed layers.
      return await demandImage(image, check, unpacked);
    } catch (cause) {
      if (!(cause instanceof RemoteProblem)) throw cause;
      first ??= cause;
    }
  }
  throw first ?? invalid('no manifest in the repository matches the local image in Docker');
}

/**
 * Verifies that the repository has all given images. Each image must be within the size limit.
 * @returns digests of all configurations and layers
 * @throws RemoteProblem, also for an empty list
 */
export async function demandAllOf(images: ImageParts[], check: WholeCheck): Promise<string[]> {
  if (images.length === 0) throw invalid('the repository has no image for Linux');
  const blobs: string[] = [];
  for (const image of images) blobs.push(...(await demandImage(image, check, { left: check.maxBytes })));
  return blobs;
}

/**
 * Verifies an image configuration. The configuration must list as many layers as the manifest.
 * @returns digests of the decompressed layers
 */
export async function demandConfiguration(
  { config, layers }: ImageParts,
  { open, signal }: Pick<WholeCheck, 'open' | 'signal'>,
): Promise<string[]> {
  const diffIds = await diffIdsOf(open, config, signal);
  if (diffIds.length === layers.length) return diffIds;
  throw invalid('an image manifest and its image configuration have different numbers of layers');
}

async function demandImage(image: ImageParts, check: WholeCheck, unpacked: { left: number }): Promise<string[]> {
  const { config, layers } = image;
  const diffIds = await demandConfiguration(image, check);
  for (const [i, layer] of layers.entries()) {
    if ((await unpackedDigest(layer, check, unpacked)) !== diffIds[i])
      throw invalid('a layer does not match the digest in the image configuration');
  }
  return [config, ...layers].map(({ digest }) => digest);
}

/**
 * Decompresses a layer and returns the digest of the decompressed data.
 * @param unpacked number of bytes that this layer and later layers may still have; the size of this layer is subtracted
 */
async function unpackedDigest(layer: Blob, { open, signal }: WholeCheck, unpacked: { left: number }): Promise<string> {
  const hash = createHash('sha256');
  const take = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      unpacked.left -= chunk.length;
      if (unpacked.left < 0) throw invalid('the layers of an image are too large');
      hash.update(chunk);
    }
  };
  const over = new AbortController();
  try {
    const { start, chunks } = await startOf(verified(open, layer, AbortSignal.any([signal, over.signal])));
    const unpack = decompressorOf(start);
    if (unpack === null) await take(chunks);
    else await pipeline(chunks, unpack, take);
  } catch (cause) {
    if (cause instanceof RemoteProblem) throw cause;
    signal.throwIfAborted();
    throw invalid('a layer cannot be decompressed', cause);
  } finally {
    // Stops the download, which may still be running if the decompression of the layer failed.
    over.abort();
  }
  return `sha256:${hash.digest('hex')}`;
}

/**
 * Chooses the decompressor by the first bytes of a layer, like Docker, because the media type in the manifest may be
 * wrong.
 */
function decompressorOf(start: Buffer): Duplex | null {
  const options = { chunkSize: CHUNK_BYTES };
  if (start.readUIntBE(0, 3) === 0x1f8b08) return createGunzip(options);
  const magic = start.readUInt32LE(0);
  // Checks whether the first bytes are a magic number of the Zstandard format.
  if (magic === 0xfd2fb528 || magic >>> 4 === 0x184d2a5) return createZstdDecompress(options);
  return null;
}

const START_BYTES = 4;

/**
 * Returns all chunks of a stream, and separately its first bytes. If the stream has fewer than four bytes, zeros are
 * added.
 */
async function startOf(chunks: AsyncGenerator<Buffer>) {
  const read: Buffer[] = [];
  for (let bytes = 0; bytes < START_BYTES; ) {
    const next = await chunks.next();
    if (next.done === true) break;
    read.push(next.value);
    bytes += next.value.length;
  }
  const whole = async function* () {
    yield* read;
    yield* chunks;
  };
  return { start: Buffer.concat([...read, Buffer.alloc(START_BYTES)]), chunks: whole() };
}

function invalid(message: string, cause?: unknown): RemoteProblem {
  return new RemoteProblem('registry_answer_invalid', message, { cause });
}
