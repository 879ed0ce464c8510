/** Number of dropped items after which the remaining items move to the start of the array. */
const MOST_GONE = 10_000;

/** A list that grows at both ends and drops items at its start, without moving the other items at each drop. */
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
    // A dropped item must not stay referenced by its slot.
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
   * Returns how many items come before the first item for which the test is true. All items after that item must pass
   * the test, too.
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
