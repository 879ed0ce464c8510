/**
 * Minimum size in bytes of arrays that `freeBuffers` can free. V8 stores arrays of up to 64 bytes in its own heap,
 * where code cannot free them.
 */
const MINIMUM_BYTES = 65;

/**
 * Frees the memory of byte arrays immediately and leaves the arrays empty. V8 would free the memory in batches of 64
 * MiB, which makes large backups slow.
 */
export function freeBuffers(arrays: Iterable<ArrayBufferView>): void {
  for (const array of arrays) {
    const { byteLength } = array;
    /*
     * Skips arrays that use only a part of their buffer, because other arrays share the same buffer. Skips arrays of at
     * most 64 bytes, because V8 cannot free their memory early.
     */
    if (byteLength < MINIMUM_BYTES || byteLength !== array.buffer.byteLength) continue;
    if (array.buffer instanceof ArrayBuffer) array.buffer.transfer(0);
  }
}

/**
 * Copies bytes into a separate memory block that `freeBuffers` can free. Node.js would store up to 32 KiB in a memory
 * pool that several buffers share.
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
