/** Gzip compression for dumps. It is used if the dump tool does not compress its output. */
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/**
 * Value of the header field `packing` of an encrypted backup. The value means that the dump was compressed with gzip
 * before the encryption.
 */
export const PACKING = 'gzip';

export function packed(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return through(bytes, () => createGzip({ level: 1 }));
}

export function unpacked(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return through(bytes, createGunzip);
}

/**
 * Compresses or decompresses a stream. The function opens the source when the caller starts to read. Otherwise, the
 * source would stay open if the caller never reads.
 */
async function* through(bytes: AsyncIterable<Uint8Array>, open: () => Transform): AsyncGenerator<Uint8Array> {
  const transform = open();
  // If the source fails, destroy the gzip stream with the same error, so that the reader gets this error.
  pipeline(Readable.from(bytes), transform).catch((error: Error) => transform.destroy(error));
  yield* transform;
}
