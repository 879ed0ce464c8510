/** What tools write that do not compress it themselves is packed on its way. */
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** Said in the header of an envelope whose content is packed. */
export const PACKING = 'gzip';

export function packed(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return through(bytes, createGzip({ level: 1 }));
}

export function unpacked(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return through(bytes, createGunzip());
}

function through(bytes: AsyncIterable<Uint8Array>, transform: Transform): AsyncIterable<Uint8Array> {
  // It throws from the stream that is read, too.
  pipeline(Readable.from(bytes), transform).catch((error: Error) => transform.destroy(error));
  return transform;
}
