/** Limits the concurrency of work. Further work waits. */
export class FewAtOnce {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /**
   * Runs work when a slot is free.
   * @throws the reason of the signal if it is aborted before the work begins
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    using _ = await this.turn();
    signal.throwIfAborted();
    return await work();
  }

  /** Waits for a free slot, which is released when the result is disposed. */
  async turn(): Promise<Disposable> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return { [Symbol.dispose]: () => this.#end() };
  }

  #end(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}
