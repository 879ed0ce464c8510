/** Runs at most a given number of functions concurrently. Other functions wait in order. */
export class FewAtOnce {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /**
   * Waits until fewer than the maximum number of functions are running, and runs `work`.
   * @throws the reason of the signal if the signal is aborted before `work` begins
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    using _ = await this.turn();
    signal.throwIfAborted();
    return await work();
  }

  /**
   * Waits until fewer than the maximum number of functions are running. The caller then occupies one place until it
   * disposes the result.
   */
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
