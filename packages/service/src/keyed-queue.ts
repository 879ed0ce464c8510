import { unlessAborted } from './unless-aborted.ts';

/**
 * Runs the functions of each key one after another, in the order in which they were added. Functions of different keys
 * run concurrently.
 */
export class KeyedQueue<K> {
  /** Promise for the end of the last queued function of each key. */
  readonly #ends = new Map<K, Promise<void>>();

  /**
   * Runs `work` after all earlier work of the key has succeeded or failed. `work` must not wait for other work of the
   * same key, which would be a deadlock.
   * @throws the error of `work`
   * @throws the reason of the signal if the signal is aborted before `work` begins. `work` then does not run
   */
  async run<T>(key: K, work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#ends.get(key) ?? Promise.resolve();
    const { promise: over, resolve: finish } = Promise.withResolvers<void>();
    // Work that is aborted while it waits must not let later work of the key start before earlier work has ended.
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

  /** Returns whether work of the key is running or waiting. */
  isBusy(key: K): boolean {
    return this.#ends.has(key);
  }

  /** Resolves when the work of the key that is queued now has ended. */
  async emptied(key: K): Promise<void> {
    await this.#ends.get(key);
  }

  /** Resolves when no key has running or waiting work. */
  async settled(): Promise<void> {
    while (this.#ends.size > 0) await Promise.all(this.#ends.values());
  }
}
