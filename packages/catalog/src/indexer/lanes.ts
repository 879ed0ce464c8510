/**
 * Runs functions concurrently, up to a limit. If the limit is reached, `add` waits, so that waiting functions do not
 * fill the memory.
 */
export class Lanes {
  readonly #width: number;
  readonly #aborted: Promise<never>;
  readonly #working = new Set<Promise<void>>();
  #failure: { error: unknown } | null = null;

  /**
   * @param width maximum number of functions that run concurrently
   * @param signal if the signal is aborted, all waiting calls are rejected, even if a running function hangs
   */
  constructor(width: number, signal: AbortSignal) {
    this.#width = width;
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    // If the signal is aborted while no caller waits for `promise`, Node would report an unhandled rejection.
    promise.catch(() => undefined);
    this.#aborted = promise;
  }

  /**
   * Starts `work` as soon as the number of running functions is below the limit.
   * @throws the error of an earlier function that failed, or the abort reason of the signal
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
