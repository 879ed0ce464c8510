import { unlessAborted } from './unless-aborted.ts';

/**
 * Runs at most a given number of functions concurrently. All other functions wait in the order in which they were
 * added.
 */
export class FewAtOnce {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** Number of callers that are waiting. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Runs `work` as soon as fewer than the maximum number of functions are running.
   * @throws the abort reason of `signal` before `work` begins
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    using _ = await this.turn(signal);
    signal.throwIfAborted();
    return await work();
  }

  /**
   * Waits until fewer than the maximum number of callers are active. The caller must dispose the result when its work
   * ends.
   * @throws the abort reason of `signal`
   */
  async turn(signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    return { [Symbol.dispose]: () => this.#end() };
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    try {
      await unlessAborted(promise, signal);
    } catch (reason) {
      // If the aborted caller had already been allowed to run, allow the next waiting caller to run instead.
      if (!this.#waiting.delete(resolve)) this.#end();
      throw reason;
    }
  }

  #end(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}

/**
 * Limits the number of functions with the same key that run concurrently. Functions with different keys do not affect
 * each other.
 */
export class FewOfEach<K> {
  readonly #most: number;
  readonly #lanes = new Map<K, FewAtOnce>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Waits until fewer than the maximum number of callers with this key are active. The caller must dispose the result
   * when its work ends.
   * @throws the abort reason of `signal`
   */
  turn(key: K, signal: AbortSignal): Promise<Disposable> {
    const lane = this.#lanes.get(key) ?? new FewAtOnce(this.#most);
    this.#lanes.set(key, lane);
    return lane.turn(signal);
  }
}
