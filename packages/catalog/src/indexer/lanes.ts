/**
 * Runs functions with limited concurrency. `add` waits until fewer than the maximum are running, so no functions are
 * queued in memory.
 */
export class Lanes {
  readonly #width: number;
  readonly #aborted: Promise<never>;
  readonly #working = new Set<Promise<void>>();
  #failure: { error: unknown } | null = null;

  /**
   * @param width maximum number of functions that run concurrently
   * @param signal its abort rejects all waiting calls, even if a running function hangs
   */
  constructor(width: number, signal: AbortSignal) {
    this.#width = width;
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    // An abort while no call is waiting rejects `promise`. Node would report this as an unhandled rejection.
    promise.catch(() => undefined);
    this.#aborted = promise;
  }

  /**
   * Waits until fewer than the maximum number of functions are running, and calls `work`. Resolves when `work` has
   * begun.
   * @throws the error of an earlier function, or the reason of the signal
   */
  async add(work: () => Promise<void>): Promise<void> {
    await this.#until(() => this.#working.size < this.#width);
    const working = work()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#working.delete(working));
    this.#working.add(working);
  }

  /**
   * Resolves when no function is running.
   * @throws the error of a function, or the reason of the signal
   */
  async idle(): Promise<void> {
    await this.#until(() => this.#working.size === 0);
  }

  async #until(isReached: () => boolean): Promise<void> {
    while (!isReached()) await Promise.race([...this.#working, this.#aborted]);
    if (this.#failure !== null) throw this.#failure.error;
  }
}
