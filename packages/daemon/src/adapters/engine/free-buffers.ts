/**
 * Minimum array size in bytes for `freeBuffers`. V8 stores arrays of up to 64 bytes inside its own heap, so their
 * memory cannot be freed explicitly.
 */
const MINIMUM_BYTES = 65;

/**
 * Frees the memory of byte arrays immediately. The arrays are empty after the call. Without this function, V8 would
 * free unused arrays only in batches of 64 MiB, and large backups would cause frequent garbage collections. Arrays of
 * at most 64 bytes, and slices of other arrays, stay unchanged.
 */
export function freeBuffers(arrays: Iterable<ArrayBufferView>): void {
  for (const array of arrays) {
    const { byteLength } = array;
    if (byteLength < MINIMUM_BYTES || byteLength !== array.buffer.byteLength) continue;
    if (array.buffer instanceof ArrayBuffer) array.buffer.transfer(0);
  }
}

/**
 * Copies bytes into their own memory block, so that `freeBuffers` can free the block. For sizes of up to 32 KiB, Node
 * would otherwise use a memory pool that several buffers share.
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
