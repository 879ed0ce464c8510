/**
 * Runs functions, but only a limited number at the same time. If the limit is reached, `add` waits. This way, no queue
 * of functions fills the memory.
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
    // Node would report an unhandled rejection if the signal is aborted while no caller waits for `promise`.
    promise.catch(() => undefined);
    this.#aborted = promise;
  }

  /**
   * Starts `work` as soon as the number of running functions is below the limit.
   * @throws the error of a function that failed before, or the abort reason of the signal
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
   * Waits until all started functions have ended.
   * @throws the error of a failed function, or the abort reason of the signal
   */
  async idle(): Promise<void> {
    await this.#until(() => this.#working.size === 0);
  }

  async #until(isReached: () => boolean): Promise<void> {
    while (!isReached()) await Promise.race([...this.#working, this.#aborted]);
    if (this.#failure !== null) throw this.#failure.error;
  }
}
