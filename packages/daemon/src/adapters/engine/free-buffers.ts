/**
 * Smallest array size in bytes whose memory can be freed explicitly. V8 stores arrays of up to 64 bytes inside its own
 * heap.
 */
const MINIMUM_BYTES = 65;

/**
 * Frees the memory of byte arrays immediately. The arrays are empty after the call. Without this call, V8 frees array
 * memory only after 64 MiB are unused. The chunks of a backup would then cause frequent collections of the whole
 * heap. Arrays of at most 64 bytes stay unchanged. Arrays that share their memory with other arrays, such as slices,
 * also stay unchanged.
 */
export function freeBuffers(arrays: Iterable<ArrayBufferView>): void {
  for (const array of arrays) {
    const { byteLength } = array;
    if (byteLength < MINIMUM_BYTES || byteLength !== array.buffer.byteLength) continue;
    if (array.buffer instanceof ArrayBuffer) array.buffer.transfer(0);
  }
}

/**
 * Copies bytes into a separate memory block, so that `freeBuffers` can free the block. For sizes of up to 32 KiB, Node
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
