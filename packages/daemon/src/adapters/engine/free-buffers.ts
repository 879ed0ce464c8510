/**
 * Minimum array size in bytes for `freeBuffers`. V8 stores arrays of up to 64 bytes inside its own heap, so their
 * memory cannot be freed explicitly.
 */
const MINIMUM_BYTES = 65;

/** Frees and empties byte arrays at once. V8 would free them in batches of 64 MiB, which makes large backups slow. */
export function freeBuffers(arrays: Iterable<ArrayBufferView>): void {
  for (const array of arrays) {
    const { byteLength } = array;
    // Does not free slices, because other arrays use the same memory. Arrays of at most 64 bytes cannot be freed.
    if (byteLength < MINIMUM_BYTES || byteLength !== array.buffer.byteLength) continue;
    if (array.buffer instanceof ArrayBuffer) array.buffer.transfer(0);
  }
}

/**
 * Copies bytes into a separate memory block that `freeBuffers` can free. Node.js would put up to 32 KiB into a shared
 * pool.
 */
export function copyOf(...parts: readonly Uint8Array[]): Buffer {
  const copy = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    copy.set(part, at);
    at += part.length;
  }
  return copy;
}
