import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { copyOf, freeBuffers } from '../../adapters/engine/free-buffers.ts';
import type { Chunk, Source } from './chunk.ts';
import { bytesOf, ColumnReader, numberBytes } from './columns.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/**
 * Zstandard compression level for log blocks. Slower levels make the blocks at most 10 % smaller, but need four times
 * as long.
 */
const LEVEL = 1;

/** Compresses log lines into a block with a checksum. The compression runs in another thread. */
export async function packBlock(chunk: Chunk): Promise<{ packed: Buffer; rawBytes: number }> {
  const columns = [chunk.seconds, chunk.nanos, chunk.origins].map(bytesOf);
  const raw = copyOf(numberBytes(chunk.count), ...columns, chunk.text);
  const params = {
    [constants.ZSTD_c_compressionLevel]: LEVEL,
    [constants.ZSTD_c_checksumFlag]: 1,
  };
  // With `pledgedSrcSize`, the Zstandard compressor allocates only the memory that it needs.
  const packed = await compress(raw, { params, pledgedSrcSize: raw.length });
  const rawBytes = raw.length;
  freeBuffers([raw]);
  return { packed, rawBytes };
}

/** Values from the index entry of a block of log lines. The values are needed to decompress the block. */
export interface BlockFacts {
  rawBytes: number;
  first: number;
  sources: Source[];
}

/**
 * Decompresses a block of log lines. Pass the returned chunk to `freeChunks` after use.
 * @throws Error if the bytes are damaged
 */
export async function unpackBlock(packed: Buffer, { rawBytes, first, sources }: BlockFacts): Promise<Chunk> {
  // Allocate the output buffer in its full size. Otherwise, the buffer would grow in steps and be copied many times.
  const raw = await decompress(packed, { chunkSize: rawBytes + 64 });
  const reader = new ColumnReader(raw);
  const count = reader.number();
  const chunk = {
    first,
    count,
    seconds: reader.fill(new Uint32Array(count)),
    nanos: reader.fill(new Uint32Array(count)),
    origins: reader.fill(new Uint16Array(count)),
    table: sources,
    text: copyOf(reader.rest()),
  };
  freeBuffers([raw]);
  return chunk;
}
