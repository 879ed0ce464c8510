/** Gzip compression for dumps whose tools do not compress them. */
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** Value of the field `packing` in the header of an encrypted backup if its content is compressed. */
export const PACKING = 'gzip';

export function packed(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return through(bytes, () => createGzip({ level: 1 }));
}

export function unpacked(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return through(bytes, createGunzip);
}

/**
 * Returns the compressed or decompressed bytes. Reads from the source only after the caller reads the result for the
 * first time. If the caller never does, for example because the disk is full, a source that was already started would
 * wait forever.
 */
async function* through(bytes: AsyncIterable<Uint8Array>, open: () => Transform): AsyncGenerator<Uint8Array> {
  const transform = open();
  // The gzip stream is destroyed with this error, so that its reader gets the error.
  pipeline(Readable.from(bytes), transform).catch((error: Error) => transform.destroy(error));
  yield* transform;
}
