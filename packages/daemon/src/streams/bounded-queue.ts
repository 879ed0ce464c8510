/** A reader did not keep up with the items that are kept for it. */
export class FollowerTooSlow extends Error {
  override name = 'FollowerTooSlow';
}

export interface BoundedQueueOptions<T> {
  /** Weight of the waiting items from which on the queue is full. Default: no limit. */
  limit?: number;
  /** Weight of an item. Default: 1. */
  weightOf?: (item: T) => number;
  /** Called with each item that the reader does not get. */
  onDiscard?: (item: T) => void;
}

/**
 * A queue from writers to one reader. No item may be `undefined`. The queue reports when it is full, and the writer decides
 * what to do: wait for room, fail the reader, or discard the waiting items.
 */
export class BoundedQueue<T> implements AsyncIterable<T> {
  readonly #limit: number;
  readonly #weightOf: (item: T) => number;
  readonly #onDiscard: (item: T) => void;
  #items: T[] = [];
  #weight = 0;
  #isEnded = false;
  #failure: { error: Error } | null = null;
  /** Wakes the reader. */
  #wake: () => void = () => undefined;
  #room: PromiseWithResolvers<void> | null = null;

  constructor({ limit = Infinity, weightOf = () => 1, onDiscard = () => undefined }: BoundedQueueOptions<T> = {}) {
    this.#limit = limit;
    this.#weightOf = weightOf;
    this.#onDiscard = onDiscard;
  }

  /** Number of items that wait. */
  get size(): number {
    return this.#items.length;
  }

  /** Total weight of the items that wait. */
  get weight(): number {
    return this.#weight;
  }

  get isFull(): boolean {
    return this.#weight >= this.#limit;
  }

  /**
   * Adds an item, also to a full queue. After the end it is discarded.
   * @returns a promise that resolves when there is room again, or nothing more is read; undefined if there is room
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

  /** No more items follow. The reader gets those that wait. */
  end(): void {
    this.#isEnded = true;
    this.#freeWriters();
    this.#wake();
  }

  /** Discards what waits. The reader gets the error, now and whenever it reads on. */
  fail(error: Error): void {
    this.#failure = { error };
    this.#isEnded = true;
    this.clear();
    this.#wake();
  }

  /** Discards what waits, and ends. */
  close(): void {
    this.#failure = null;
    this.#isEnded = true;
    this.clear();
    this.#wake();
  }

  /** Discards what waits. */
  clear(): void {
    const discarded = this.#items;
    this.#items = [];
    this.#weight = 0;
    for (const item of discarded) this.#onDiscard(item);
    this.#freeWriters();
  }

  /**
   * The next item, as soon as there is one; undefined at the end, or if the signal aborts while none waits.
   * @throws what the queue failed with
   */
  async next(signal?: AbortSignal): Promise<T | undefined> {
    await this.#ready(signal);
    const item = this.#items.shift();
    if (item === undefined) return undefined;
    this.#weight = this.#items.length === 0 ? 0 : this.#weight - this.#weightOf(item);
    if (!this.isFull) this.#freeWriters();
    return item;
  }

  /** All items that wait, as soon as there is one; undefined at the end. @throws what the queue failed with */
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

  /** Waits until there is an item, or none will come. */
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
