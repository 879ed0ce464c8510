const FIRST_MS = 10_000;
const LONGEST_MS = 10 * 60_000;

/**
 * Delay between repeated attempts, for each object id. The delay starts at 10 seconds and doubles after each failure,
 * up to a maximum. Default maximum: 10 minutes.
 */
export class Backoff {
  readonly #now: () => number;
  readonly #longestMs: number;
  readonly #failures = new Map<number, { count: number; dueAt: number }>();

  constructor(now: () => number, longestMs: number = LONGEST_MS) {
    this.#now = now;
    this.#longestMs = longestMs;
  }

  isDue(id: number): boolean {
    return (this.#failures.get(id)?.dueAt ?? 0) <= this.#now();
  }

  /** Records a failed attempt, or a repair that was necessary. The next delay for this object is longer. */
  failed(id: number): void {
    const count = (this.#failures.get(id)?.count ?? 0) + 1;
    this.#failures.set(id, { count, dueAt: this.#now() + Math.min(FIRST_MS * 2 ** (count - 1), this.#longestMs) });
  }

  /** Records that an object needs no repair, which resets its delay. */
  succeeded(id: number): void {
    this.#failures.delete(id);
  }
}
