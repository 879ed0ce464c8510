/**
 * Frees the memory of a data chunk after its last use. A chunk that is only a part of a larger buffer stays unchanged.
 * The chunks of a backup need as much memory as the whole backup. Without this call, the chunks cause frequent garbage
 * collections of the whole heap.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
