/** Reads the beginning of a stream, and returns the whole stream afterwards. */
export class Beginning {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;
  #isWhole = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Whether the source has no more bytes than the beginning. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Returns a copy of at least this number of bytes, or of the whole source. */
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

  /** Returns the whole source. The beginning is released, so that it cannot be read afterwards. */
  async *whole(): AsyncGenerator<Uint8Array> {
    yield* this.#pieces.splice(0);
    for (;;) {
      const { value, done } = await this.#source.next();
      if (done === true) return;
      yield value;
    }
  }

  /** Closes the source, even before its end. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
