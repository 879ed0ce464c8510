/**
 * Maximum number of empty positions at the start of the array, which removed items leave. At this number, the remaining
 * items are copied to a new array to free memory.
 */
const MOST_GONE = 10_000;

/**
 * Array that grows at both ends, and from which items are removed at the start. A removed item leaves an empty
 * position, because copying the array after each removal would be slow.
 */
export class Deque<T> {
  #items: T[] = [];
  #from = 0;

  get length(): number {
    return this.#items.length - this.#from;
  }

  at(index: number): T | undefined {
    return index < 0 ? undefined : this.#items[this.#from + index];
  }

  first(): T | undefined {
    return this.#items[this.#from];
  }

  last(): T | undefined {
    return this.length === 0 ? undefined : this.#items.at(-1);
  }

  push(item: T): void {
    this.#items.push(item);
  }

  prepend(items: readonly T[]): void {
    this.#items = [...items, ...this.#items.slice(this.#from)];
    this.#from = 0;
  }

  drop(count: number): void {
    const until = Math.min(this.#from + count, this.#items.length);
    /*
     * The array still refers to the removed items. Overwrite these items, so that the garbage collector can free their
     * memory.
     */
    this.#items.fill(undefined as T, this.#from, until);
    this.#from = until;
    if (this.#from < MOST_GONE && this.#from < this.#items.length) return;
    this.#items = this.#items.slice(this.#from);
    this.#from = 0;
  }

  slice(from: number, to: number): T[] {
    return this.#items.slice(this.#from + Math.max(0, from), this.#from + Math.max(0, to));
  }

  /**
   * Returns the index of the first item for which `isThere` returns `true`. The search is a binary search. `isThere`
   * must therefore also return `true` for all later items.
   */
  partition(isThere: (item: T) => boolean): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isThere(this.#items[this.#from + middle] as T)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
