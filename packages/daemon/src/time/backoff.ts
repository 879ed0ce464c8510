const FIRST_MS = 10_000;
const LONGEST_MS = 10 * 60_000;

/** When what did not help is due again: after twice as long each time. */
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

  /** It was helped, or could not be: the next time is further away. */
  failed(id: number): void {
    const count = (this.#failures.get(id)?.count ?? 0) + 1;
    this.#failures.set(id, { count, dueAt: this.#now() + Math.min(FIRST_MS * 2 ** (count - 1), this.#longestMs) });
  }

  /** It is as it should be by itself. */
  succeeded(id: number): void {
    this.#failures.delete(id);
  }
}
