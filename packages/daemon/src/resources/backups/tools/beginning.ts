/** Reads the beginning of a stream in advance, and then returns the whole stream. */
export class Beginning {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;
  #isWhole = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Whether the source has ended, so that the beginning contains all of its bytes. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Returns a copy of at least this number of bytes from the beginning, or of the whole source. */
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

  /** Returns the whole source as a stream. Afterwards the beginning cannot be read again. */
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
