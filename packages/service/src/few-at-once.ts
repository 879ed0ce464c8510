import { unlessAborted } from './unless-aborted.ts';

/** Runs at most a given number of functions concurrently. Other functions wait in order. */
export class FewAtOnce {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /**
   * Waits until fewer than the maximum number of functions are running. Then runs `work`.
   * @throws the abort reason of `signal` if `signal` is aborted before `work` begins
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    using _ = await this.turn(signal);
    signal.throwIfAborted();
    return await work();
  }

  /**
   * Waits until the caller may run, because only a limited number of functions may run at the same time. When the
   * caller is done, it must dispose the returned object, so that the next caller can run.
   * @throws the abort reason of `signal` if `signal` is aborted during the wait
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
      // If this aborted caller had already been allowed to run, allow the next waiting caller to run instead.
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
 * Limits how many functions with the same key run concurrently. Functions with different keys do not affect each other.
 */
export class FewOfEach<K> {
  readonly #most: number;
  readonly #lanes = new Map<K, FewAtOnce>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Waits until the caller may run, because only a limited number of functions may run for the same key at the same
   * time. When the caller is done, it must dispose the returned object, so that the next caller can run.
   * @throws the abort reason of `signal` if `signal` is aborted during the wait
   */
  turn(key: K, signal: AbortSignal): Promise<Disposable> {
    const lane = this.#lanes.get(key) ?? new FewAtOnce(this.#most);
    this.#lanes.set(key, lane);
    return lane.turn(signal);
  }
}
