import { unlessAborted } from './unless-aborted.ts';

/** Runs the work of each key one after another, in the order in which it was added. Work of different keys runs concurrently. */
export class KeyedQueue<K> {
  /** The end of the last work of each key that has work. */
  readonly #ends = new Map<K, Promise<void>>();

  /**
   * Runs `work` after all work that was added for the key before, whether that succeeds or fails. Work must not wait for other
   * work of the same key: neither would ever end.
   * @throws what `work` throws; the signal's reason if it aborts before the turn of the work, which then does not begin
   */
  async run<T>(key: K, work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#ends.get(key) ?? Promise.resolve();
    const { promise: over, resolve: finish } = Promise.withResolvers<void>();
    // Also after one that left the queue early, the next one waits for those before it.
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

  /** Resolves when the work that the key has now has ended. */
  async emptied(key: K): Promise<void> {
    await this.#ends.get(key);
  }

  /** Resolves when no key has work. */
  async settled(): Promise<void> {
    while (this.#ends.size > 0) await Promise.all(this.#ends.values());
  }
}
