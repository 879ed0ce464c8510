/** Reads the first bytes of a stream, and can still return the whole stream afterwards. */
export class Beginning {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;
  #isWhole = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /**
   * Whether all bytes of the stream have been read. If `true`, the bytes that were already read are the whole stream.
   */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /**
   * Returns a copy of the first bytes of the stream.
   * @param bytes minimum number of bytes. The result is shorter only if the whole stream is shorter.
   */
  async read(bytes: number): Promise<Buffer> {
    while (!this.#isWhole && this.#bytes < bytes) {
      const { value, done } = await this.#source.next();
      if (done === true) this.#isWhole = true;
      else {
        this.#pieces.push(value);
        this.#bytes += value.length;
      }
    }
    return Buffer.concat(this.#pieces);
  }

  /**
   * Returns the complete stream, including the bytes that `read` has already returned. Do not call `read` after this
   * function, because it can no longer return these bytes.
   */
  async *whole(): AsyncGenerator<Uint8Array> {
    yield* this.#pieces.splice(0);
    for (;;) {
      const { value, done } = await this.#source.next();
      if (done === true) return;
      yield value;
    }
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
