/** V8 keeps arrays of up to 64 bytes inside of its heap. */
const LEAST_BYTES = 65;

/**
 * Frees the memory of arrays at once, instead of when the garbage collector finds them: V8 starts a collection for memory
 * outside of its heap only when 64 MiB of it wait. The arrays are empty afterwards. One that shares its memory with
 * others, such as a part of a file's content or of Node's pool, is left alone, and so is a small one.
 */
export function handBack(arrays: Iterable<ArrayBufferView>): void {
  for (const array of arrays) {
    const { byteLength } = array;
    if (byteLength < LEAST_BYTES || byteLength !== array.buffer.byteLength) continue;
    if (array.buffer instanceof ArrayBuffer) array.buffer.transfer(0);
  }
}

/** Copies bytes to memory of their own, which can be handed back: Node takes a part of its pool for up to 32 KiB. */
export function copyOf(...parts: readonly Uint8Array[]): Buffer {
  const copy = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    copy.set(part, at);
    at += part.length;
  }
  return copy;
}
