import { unlessAborted } from './unless-aborted.ts';

/**
 * Queue of functions for each key. Functions with the same key run in the order in which they were added. Functions
 * with different keys run concurrently.
 */
export class KeyedQueue<K> {
  /** Map from key to a promise that resolves when the last queued function with this key has finished. */
  readonly #ends = new Map<K, Promise<void>>();

  /**
   * Runs `work` after all earlier functions with the same key. `work` must not wait for a function with the same key,
   * because this would be a deadlock.
   * @throws the abort reason of `signal` before `work` begins
   */
  async run<T>(key: K, work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#ends.get(key) ?? Promise.resolve();
    const { promise: over, resolve: finish } = Promise.withResolvers<void>();
    // An aborted function keeps its place in the queue, so that later functions still wait for all earlier functions.
    const end = before.then(() => over);
    this.#ends.set(key, end);
    void end.then(() => {
      if (this.#ends.get(key) === end) this.#ends.delete(key);
    });
    try {
      await unlessAborted(before, signal);
      signal?.throwIfAborted();
      return await work();
    } finally {
      finish();
    }
  }

  /** Returns whether a function with this key is running or waiting in the queue. */
  isBusy(key: K): boolean {
    return this.#ends.has(key);
  }

  /**
   * Resolves when all functions with this key that are already in the queue have finished. Functions that are added
   * later are ignored.
   */
  async emptied(key: K): Promise<void> {
    await this.#ends.get(key);
  }

  /** Resolves when the queue is empty. Then, no function is running, and no function is waiting for any key. */
  async settled(): Promise<void> {
    while (this.#ends.size > 0) await Promise.all(this.#ends.values());
  }
}
