/** Error of a queue whose reader was slower than its writers, so that too many items waited. */
export class FollowerTooSlow extends Error {
  override name = 'FollowerTooSlow';
}

export interface BoundedQueueOptions<T> {
  /** Maximum total weight of waiting items. At this weight, the queue is full. Default: no limit. */
  limit?: number;
  /** Returns the weight of an item, for example its bytes. Default: 1. */
  weightOf?: (item: T) => number;
  /** Called for each item that the queue discards unread. */
  onDiscard?: (item: T) => void;
}

/**
 * Queue with several writers and one reader. No item may be `undefined`. `push` reports when the queue is full. The
 * writer then waits for space, ends the reader with an error, or discards the waiting items.
 */
export class BoundedQueue<T> implements AsyncIterable<T> {
  readonly #limit: number;
  readonly #weightOf: (item: T) => number;
  readonly #onDiscard: (item: T) => void;
  #items: T[] = [];
  #weight = 0;
  #isEnded = false;
  #failure: { error: Error } | null = null;
  #wake: () => void = () => undefined;
  #room: PromiseWithResolvers<void> | null = null;

  constructor({ limit = Infinity, weightOf = () => 1, onDiscard = () => undefined }: BoundedQueueOptions<T> = {}) {
    this.#limit = limit;
    this.#weightOf = weightOf;
    this.#onDiscard = onDiscard;
  }

  get size(): number {
    return this.#items.length;
  }

  get weight(): number {
    return this.#weight;
  }

  get isFull(): boolean {
    return this.#weight >= this.#limit;
  }

  /**
   * Adds an item, even to a full queue. An item that is added after the end is discarded.
   * @returns a promise that resolves when there is space again or the queue has ended, or `undefined` if there is
   * space
   */
  push(item: T): Promise<void> | undefined {
    if (this.#isEnded) {
      this.#onDiscard(item);
      return undefined;
    }
    this.#items.push(item);
    this.#weight += this.#weightOf(item);
    this.#wake();
    if (!this.isFull) return undefined;
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  /** Ends the queue. The reader still gets the waiting items. */
  end(): void {
    this.#isEnded = true;
    this.#freeWriters();
    this.#wake();
  }

  /**
   * Ends the queue with an error and discards the waiting items. The reader's current and later reads throw the error.
   */
  fail(error: Error): void {
    this.#failure = { error };
    this.#isEnded = true;
    this.clear();
    this.#wake();
  }

  /** Ends the queue without an error and discards the waiting items. */
  close(): void {
    this.#failure = null;
    this.#isEnded = true;
    this.clear();
    this.#wake();
  }

  clear(): void {
    const discarded = this.#items;
    this.#items = [];
    this.#weight = 0;
    for (const item of discarded) this.#onDiscard(item);
    this.#freeWriters();
  }

  /**
   * Waits for the next item and returns it. Returns `undefined` when the queue has ended, or if the signal aborts
   * while no item waits.
   * @throws the error that was passed to `fail`
   */
  async next(signal?: AbortSignal): Promise<T | undefined> {
    await this.#ready(signal);
    const item = this.#items.shift();
    if (item === undefined) return undefined;
    this.#weight = this.#items.length === 0 ? 0 : this.#weight - this.#weightOf(item);
    if (!this.isFull) this.#freeWriters();
    return item;
  }

  /**
   * Waits for at least one item and returns all waiting items. Returns `undefined` when the queue has ended.
   * @throws the error that was passed to `fail`
   */
  async nextAll(): Promise<T[] | undefined> {
    await this.#ready();
    if (this.#items.length === 0) return undefined;
    const items = this.#items;
    this.#items = [];
    this.#weight = 0;
    this.#freeWriters();
    return items;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (let item = await this.next(); item !== undefined; item = await this.next()) yield item;
  }

  /** Waits until the queue has an item, has ended, or the signal aborts. */
  async #ready(signal?: AbortSignal): Promise<void> {
    while (this.#failure === null && this.#items.length === 0 && !this.#isEnded && signal?.aborted !== true) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const onAbort = () => resolve();
      signal?.addEventListener('abort', onAbort, { once: true });
      await promise;
      signal?.removeEventListener('abort', onAbort);
    }
    if (this.#failure !== null) throw this.#failure.error;
  }

  #freeWriters(): void {
    this.#room?.resolve();
    this.#room = null;
  }
}
