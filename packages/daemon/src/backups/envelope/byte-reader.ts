/** Takes exactly so many bytes at a time from a stream that comes in pieces of any size. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** So many bytes, or as many as there are before the end. */
  async take(bytes: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let missing = bytes;
    while (missing > 0) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#source.next();
        if (done === true) break;
        this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
        continue;
      }
      const piece = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(piece.length);
      pieces.push(piece);
      missing -= piece.length;
    }
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  }

  /** Lets the source go, also when it has not come to its end. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
