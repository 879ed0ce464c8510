/** Gzip compression for dumps whose tools do not compress them. */
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** Value of the field `packing` in the header of an encrypted backup whose content is compressed. */
export const PACKING = 'gzip';

export function packed(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return through(bytes, () => createGzip({ level: 1 }));
}

export function unpacked(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return through(bytes, createGunzip);
}

/**
 * Returns the compressed or decompressed bytes. Reads from the source only after the first read of the result. On a
 * full disk, for example, the caller never reads the result. A source that was already started would then wait forever.
 */
async function* through(bytes: AsyncIterable<Uint8Array>, open: () => Transform): AsyncGenerator<Uint8Array> {
  const transform = open();
  // Destroy the gzip stream with this error, so that its reader gets the error.
  pipeline(Readable.from(bytes), transform).catch((error: Error) => transform.destroy(error));
  yield* transform;
}
