/** When so much of the array is let go, what is left is moved to its beginning. */
const MOST_GONE = 10_000;

/** A list that grows at both ends and is let go of at its beginning, a few at a time without moving the rest. */
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

  /** Lets go of the first so many. */
  drop(count: number): void {
    const until = Math.min(this.#from + count, this.#items.length);
    // What is let go must not be held by its place.
    this.#items.fill(undefined as T, this.#from, until);
    this.#from = until;
    if (this.#from < MOST_GONE && this.#from < this.#items.length) return;
    this.#items = this.#items.slice(this.#from);
    this.#from = 0;
  }

  slice(from: number, to: number): T[] {
    return this.#items.slice(this.#from + Math.max(0, from), this.#from + Math.max(0, to));
  }

  /** How many come before the first for which this holds; what it holds for comes last. */
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
