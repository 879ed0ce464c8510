/**
 * Frees the memory of a chunk after its last use. A chunk that is only a part of a buffer is not changed. The chunks of
 * a backup take as much memory as the whole backup, and would otherwise cause frequent garbage collections of the whole
 * heap.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
