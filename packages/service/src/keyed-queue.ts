import { unlessAborted } from './unless-aborted.ts';

/** Runs the work of each key one after another, in the order in which it was added. Work of different keys runs concurrently. */
export class KeyedQueue<K> {
  /** Promise for the end of the last work of each key. */
  readonly #ends = new Map<K, Promise<void>>();

  /**
   * Runs `work` after all earlier work of the key, whether that work succeeds or fails. `work` must not wait for other
   * work of the same key, which would be a deadlock.
   * @throws the error of `work`
   * @throws the reason of the signal if it is aborted before `work` begins, which then does not run
   */
  async run<T>(key: K, work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#ends.get(key) ?? Promise.resolve();
    const { promise: over, resolve: finish } = Promise.withResolvers<void>();
    // If work leaves the queue early, the next work still waits for all work before it.
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

  /** Returns whether work of the key runs or waits. */
  isBusy(key: K): boolean {
    return this.#ends.has(key);
  }

  /** Resolves when the current work of the key has ended. */
  async emptied(key: K): Promise<void> {
    await this.#ends.get(key);
  }

  /** Resolves when no key has work. */
  async settled(): Promise<void> {
    while (this.#ends.size > 0) await Promise.all(this.#ends.values());
  }
}
