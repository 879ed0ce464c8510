/** Runs functions with limited concurrency. `add` waits for a free lane, so that no work is queued in memory. */
export class Lanes {
  readonly #width: number;
  readonly #aborted: Promise<never>;
  readonly #working = new Set<Promise<void>>();
  #failure: { error: unknown } | null = null;

  /**
   * Creates a fixed number of lanes.
   * @param signal ends all waiting with an error, also for work that hangs
   */
  constructor(width: number, signal: AbortSignal) {
    this.#width = width;
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    // Without this handler, Node would report an unhandled rejection if no caller is waiting during the abort.
    promise.catch(() => undefined);
    this.#aborted = promise;
  }

  /**
   * Waits for a free lane and starts the work. Resolves when the work has begun.
   * @throws the error of earlier work, or the reason of the signal
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
   * Resolves when the work of all lanes has ended.
   * @throws the error of the work, or the reason of the signal
   */
  async idle(): Promise<void> {
    await this.#until(() => this.#working.size === 0);
  }

  async #until(isReached: () => boolean): Promise<void> {
    while (!isReached()) await Promise.race([...this.#working, this.#aborted]);
    if (this.#failure !== null) throw this.#failure.error;
  }
}
