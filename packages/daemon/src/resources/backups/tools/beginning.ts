/** Reads the first bytes of a stream in advance, and then returns the whole stream. */
export class Beginning {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;
  #isWhole = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Whether the stream has ended. If so, the bytes that were read in advance are the whole stream. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Returns a copy of the first bytes of the stream: at least this number, or all bytes of a shorter stream. */
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

  /** Returns the whole stream. After this call, its first bytes cannot be read again. */
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
