/** Error for a client that reads a queue too slowly. Writers are faster than this client, so the queue is full. */
export class FollowerTooSlow extends Error {
  override name = 'FollowerTooSlow';
}

export interface BoundedQueueOptions<T> {
  /** Maximum total weight of the items in the queue. At this weight, the queue is full. Default: no limit. */
  limit?: number;
  /** Returns the weight of an item, for example its size in bytes. Default: 1. */
  weightOf?: (item: T) => number;
  /** Called for each item that is discarded before the reader got it. */
  onDiscard?: (item: T) => void;
}

/**
 * Queue with several writers and one reader. Items must not be `undefined`. A writer decides what to do when the queue
 * is full.
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
   * Adds an item. If the queue has ended, the item is discarded.
   * @returns a promise if the queue is full, otherwise `undefined`. The promise resolves when the queue has space or
   * ends.
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

  /** Ends the queue. The reader still gets the items that are in the queue. */
  end(): void {
    this.#isEnded = true;
    this.#freeWriters();
    this.#wake();
  }

  /** Ends the queue with an error and discards all items. All pending and later reads throw the error. */
  fail(error: Error): void {
    this.#failure = { error };
    this.#isEnded = true;
    this.clear();
    this.#wake();
  }

  /** Ends the queue without an error and discards all items. */
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
   * Returns the next item, or `undefined` if the queue has ended or `signal` aborts while the queue is empty.
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
   * Waits for an item and returns all items in the queue. Returns `undefined` if the queue has ended.
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

  /** Waits until the queue contains an item, the queue ends, or `signal` is aborted. */
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
