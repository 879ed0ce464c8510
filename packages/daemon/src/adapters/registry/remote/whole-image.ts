/**
 * Verifies that a repository has every byte of an image: its configuration, and a layer for each digest that the
 * configuration names. The layers are decompressed for it, because a manifest names digests of compressed layers, which
 * need not be those of the configuration.
 */
import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { diffIdsOf } from './configuration.ts';
import type { Blob, ImageParts } from './manifest.ts';
import { RemoteProblem } from './problem.ts';
import { type OpenBlob, verified } from './verified.ts';

/** An index names the same configuration once, or a few times with layers that are compressed in different ways. */
const MAX_CANDIDATES = 10;
/** Fewer and larger chunks than by default: each takes a turn of the event loop. */
const CHUNK_BYTES = 256 * 1024;

export interface WholeCheck {
  open: OpenBlob;
  /** Maximum size of the decompressed layers, in bytes. */
  maxBytes: number;
  signal: AbortSignal;
}

/**
 * Returns the maximum size of an image's decompressed layers, in bytes. Compression of zeros saves all but a thousandth, so
 * without a limit a small download would keep the daemon busy for hours. The engine's size lacks the headers of files and
 * their padding, which are more than the contents in images of small files. With the image store of containerd it may be
 * that of the compressed layers.
 * @param sizeBytes size of the image at the engine
 */
export function maxUnpackedBytes(sizeBytes: number): number {
  return 10 * sizeBytes + 4 * 1024 ** 3;
}

/**
 * Verifies that the repository has one of some images that have the same configuration. That is enough, whichever of them
 * the engine used: the images have the same decompressed layers.
 * @param candidates the likeliest first
 * @returns digests of the configuration and the layers of that image
 * @throws RemoteProblem for the first of them; the signal's reason
 */
export async function demandOneOf(candidates: ImageParts[], check: WholeCheck): Promise<string[]> {
  let first: RemoteProblem | null = null;
  const unpacked = { left: check.maxBytes };
  for (const image of candidates.slice(0, MAX_CANDIDATES)) {
    try {
      return await demandImage(image, check, unpacked);
    } catch (cause) {
      if (!(cause instanceof RemoteProblem)) throw cause;
      first ??= cause;
    }
  }
  throw first ?? invalid('no manifest names the image that the engine has');
}

/**
 * Verifies that the repository has all of some images. Each may have as many decompressed bytes as the check allows.
 * @returns digests of their configurations and layers
 * @throws RemoteProblem if it lacks one, or if there is none; the signal's reason
 */
export async function demandAllOf(images: ImageParts[], check: WholeCheck): Promise<string[]> {
  if (images.length === 0) throw invalid('no manifest names an image that the engine may run');
  const blobs: string[] = [];
  for (const image of images) blobs.push(...(await demandImage(image, check, { left: check.maxBytes })));
  return blobs;
}

/**
 * Verifies a configuration, and that a manifest has as many layers as it.
 * @returns digests of the decompressed layers
 */
export async function demandConfiguration(
  { config, layers }: ImageParts,
  { open, signal }: Pick<WholeCheck, 'open' | 'signal'>,
): Promise<string[]> {
  const diffIds = await diffIdsOf(open, config, signal);
  if (diffIds.length === layers.length) return diffIds;
  throw invalid('a manifest has another number of layers than its configuration');
}

async function demandImage(image: ImageParts, check: WholeCheck, unpacked: { left: number }): Promise<string[]> {
  const { config, layers } = image;
  const diffIds = await demandConfiguration(image, check);
  for (const [i, layer] of layers.entries()) {
    if ((await unpackedDigest(layer, check, unpacked)) !== diffIds[i])
      throw invalid('a layer is not the one that the configuration names');
  }
  return [config, ...layers].map(({ digest }) => digest);
}

/** @param unpacked how many decompressed bytes there may still be */
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
    // A download of which nothing more is needed may be in the middle of a read.
    over.abort();
  }
  return `sha256:${hash.digest('hex')}`;
}

/** By the first bytes, as engines do: the media type in a manifest may be wrong. */
function decompressorOf(start: Buffer): Duplex | null {
  const options = { chunkSize: CHUNK_BYTES };
  if (start.readUIntBE(0, 3) === 0x1f8b08) return createGunzip(options);
  const magic = start.readUInt32LE(0);
  // A frame of data, or one that is to be skipped.
  if (magic === 0xfd2fb528 || magic >>> 4 === 0x184d2a5) return createZstdDecompress(options);
  return null;
}

const START_BYTES = 4;

/** Reads the first bytes and gives them back. @returns at least four bytes as the start, with zeros behind short contents */
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
