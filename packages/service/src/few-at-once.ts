/** Lets so many pieces of work run at once; the others wait for their turn. */
export class FewAtOnce {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /** @throws the signal's reason when that aborts before the work's turn */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    using _ = await this.turn();
    signal.throwIfAborted();
    return await work();
  }

  /** Waits for a turn, which lasts until it is disposed of. */
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
