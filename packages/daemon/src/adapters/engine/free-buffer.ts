/**
 * Gives the memory of a piece back that its last owner has done with; what is only a part of a buffer stays. A stream of
 * backups leaves as many bytes behind as it is long, and would have all of the heap looked through again and again.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
