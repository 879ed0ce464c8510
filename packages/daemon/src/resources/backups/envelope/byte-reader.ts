/**
 * Takes exactly so many bytes at a time from a stream that comes in pieces of any size. What is taken lies in one of two
 * buffers that are used in turns: it is good until the second next is taken. A backup goes through here as a whole, and what
 * were made anew for each chunk would be collected only when there is a lot of it.
 */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #buffers: [Buffer, Buffer] = [Buffer.alloc(0), Buffer.alloc(0)];
  #turn: 0 | 1 = 0;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** So many bytes, or as many as there are before the end. */
  async take(bytes: number): Promise<Buffer> {
    const buffer = this.#nextBuffer(bytes);
    let filled = 0;
    while (filled < bytes) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#source.next();
        if (done === true) break;
        this.#rest = value;
        continue;
      }
      const piece = this.#rest.subarray(0, bytes - filled);
      this.#rest = this.#rest.subarray(piece.length);
      buffer.set(piece, filled);
      filled += piece.length;
    }
    return buffer.subarray(0, filled);
  }

  /** Lets the source go, also when it has not come to its end. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  #nextBuffer(bytes: number): Buffer {
    this.#turn = this.#turn === 0 ? 1 : 0;
    if (this.#buffers[this.#turn].length < bytes) this.#buffers[this.#turn] = Buffer.allocUnsafeSlow(bytes);
    return this.#buffers[this.#turn];
  }
}
