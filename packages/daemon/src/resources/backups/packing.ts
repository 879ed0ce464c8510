/** Gzip compression for dumps whose tools do not compress them. */
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** Header field `packing` of an encrypted backup: its content was compressed with gzip before the encryption. */
export const PACKING = 'gzip';

export function packed(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return through(bytes, () => createGzip({ level: 1 }));
}

export function unpacked(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return through(bytes, createGunzip);
}

/**
 * Compresses or decompresses bytes. Opens the source only when the caller reads the first result. Otherwise, the source
 * would wait forever if the caller stops before its first read.
 */
async function* through(bytes: AsyncIterable<Uint8Array>, open: () => Transform): AsyncGenerator<Uint8Array> {
  const transform = open();
  // Destroys the gzip stream with the error of the source, so that the reader gets this error.
  pipeline(Readable.from(bytes), transform).catch((error: Error) => transform.destroy(error));
  yield* transform;
}
