/** Smallest size in bytes that is freed. V8 keeps arrays of up to 64 bytes inside its heap. */
const LEAST_BYTES = 65;

/**
 * Frees the memory of arrays immediately, so that the arrays are empty afterwards. For memory outside its heap, V8
 * starts a garbage collection only when 64 MiB of such memory wait to be freed. Arrays that share their memory, such as
 * a part of a file's content or of Node's pool, are not changed. Arrays of at most 64 bytes are not changed either.
 */
export function handBack(arrays: Iterable<ArrayBufferView>): void {
  for (const array of arrays) {
    const { byteLength } = array;
    if (byteLength < LEAST_BYTES || byteLength !== array.buffer.byteLength) continue;
    if (array.buffer instanceof ArrayBuffer) array.buffer.transfer(0);
  }
}

/**
 * Copies bytes into memory that the copy does not share, so that {@link handBack} can free it. Node would otherwise use
 * its shared pool for up to 32 KiB.
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
