/** A reader was slower than the writer, so the queue became too large. */
export class FollowerTooSlow extends Error {
  override name = 'FollowerTooSlow';
}

export interface BoundedQueueOptions<T> {
  /** Total weight of waiting items at which the queue is full. Default: no limit. */
  limit?: number;
  /** Returns the weight of an item. Default: 1. */
  weightOf?: (item: T) => number;
  /** Called with each item that the queue discards. */
  onDiscard?: (item: T) => void;
}

/**
 * A queue from several writers to one reader. No item may be `undefined`. The queue reports when it is full. The writer
 * then waits for space, ends the reader with an error, or discards the waiting items.
 */
export class BoundedQueue<T> implements AsyncIterable<T> {
  readonly #limit: number;
  readonly #weightOf: (item: T) => number;
  readonly #onDiscard: (item: T) => void;
  #items: T[] = [];
  #weight = 0;
  #isEnded = false;
  #failure: { error: Error } | null = null;
  /** Wakes the waiting reader. */
  #wake: () => void = () => undefined;
  #room: PromiseWithResolvers<void> | null = null;

  constructor({ limit = Infinity, weightOf = () => 1, onDiscard = () => undefined }: BoundedQueueOptions<T> = {}) {
    this.#limit = limit;
    this.#weightOf = weightOf;
    this.#onDiscard = onDiscard;
  }

  /** Number of waiting items. */
  get size(): number {
    return this.#items.length;
  }

  /** Total weight of the waiting items. */
  get weight(): number {
    return this.#weight;
  }

  get isFull(): boolean {
    return this.#weight >= this.#limit;
  }

  /**
   * Adds an item, even to a full queue. After the end of the queue, the item is discarded.
   * @returns a promise that resolves when there is space again or the queue has ended, or `undefined` if there is space
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

  /** Ends the queue with an error and discards the waiting items. Every present and later read throws the error. */
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

  /** Discards the waiting items. */
  clear(): void {
    const discarded = this.#items;
    this.#items = [];
    this.#weight = 0;
    for (const item of discarded) this.#onDiscard(item);
    this.#freeWriters();
  }

  /**
   * Returns the next item as soon as there is one. `undefined` at the end of the queue, or if the signal aborts while
   * no item waits.
   * @throws the error of {@link fail}
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
   * Returns all waiting items as soon as there is at least one, or `undefined` at the end of the queue.
   * @throws the error of {@link fail}
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

  /** Waits until there is an item, or until the queue has ended. */
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
