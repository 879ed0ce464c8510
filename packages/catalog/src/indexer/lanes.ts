/** Runs work in a few lanes: whoever brings more waits until one is free, so that never more is held than is at work. */
export class Lanes {
  readonly #width: number;
  readonly #aborted: Promise<never>;
  readonly #working = new Set<Promise<void>>();
  #failure: { error: unknown } | null = null;

  /** @param signal ends all waiting, also for work that hangs */
  constructor(width: number, signal: AbortSignal) {
    this.#width = width;
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    // It concerns only who waits.
    promise.catch(() => undefined);
    this.#aborted = promise;
  }

  /** Resolves when the work has begun. @throws what earlier work threw; the signal's reason */
  async add(work: () => Promise<void>): Promise<void> {
    await this.#until(() => this.#working.size < this.#width);
    const working = work()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#working.delete(working));
    this.#working.add(working);
  }

  /** Resolves when all work has ended. @throws what work threw; the signal's reason */
  async idle(): Promise<void> {
    await this.#until(() => this.#working.size === 0);
  }

  async #until(isReached: () => boolean): Promise<void> {
    while (!isReached()) await Promise.race([...this.#working, this.#aborted]);
    if (this.#failure !== null) throw this.#failure.error;
  }
}
