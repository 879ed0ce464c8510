/** Reads a given number of bytes from a stream. The chunks of the stream can have any size. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  /** The reader uses two buffers in turn, because a new buffer for each result would need too much memory. */
  readonly #buffers: [Buffer, Buffer] = [Buffer.alloc(0), Buffer.alloc(0)];
  #turn: 0 | 1 = 0;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /**
   * Returns the given number of bytes, or fewer bytes at the end of the stream. The second call of `take` after this
   * call overwrites the returned bytes.
   */
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

  async close(): Promise<void> {
    await this.#source.return?.();
  }

  #nextBuffer(bytes: number): Buffer {
    this.#turn = this.#turn === 0 ? 1 : 0;
    if (this.#buffers[this.#turn].length < bytes) this.#buffers[this.#turn] = Buffer.allocUnsafeSlow(bytes);
    return this.#buffers[this.#turn];
  }
}
