/** What tools write that do not compress it themselves is packed on its way. */
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** Said in the header of an envelope whose content is packed. */
export const PACKING = 'gzip';

export function packed(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return through(bytes, () => createGzip({ level: 1 }));
}

export function unpacked(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return through(bytes, createGunzip);
}

/** Begins with its first look: the source of what nobody reads, as where there is no room for it, would wait for ever. */
async function* through(bytes: AsyncIterable<Uint8Array>, open: () => Transform): AsyncGenerator<Uint8Array> {
  const transform = open();
  // It throws from the stream that is read, too.
  pipeline(Readable.from(bytes), transform).catch((error: Error) => transform.destroy(error));
  yield* transform;
}
