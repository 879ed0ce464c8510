const FIRST_MS = 10_000;
const LONGEST_MS = 10 * 60_000;

/**
 * Calculates the delays between attempts for each object id. The first delay is 10 seconds. Each failure doubles the
 * delay, up to a maximum.
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

  /**
   * Increases the delay before the next attempt for an app, a database or an object store. Call this function after
   * each failed attempt or repair.
   */
  failed(id: number): void {
    const count = (this.#failures.get(id)?.count ?? 0) + 1;
    this.#failures.set(id, { count, dueAt: this.#now() + Math.min(FIRST_MS * 2 ** (count - 1), this.#longestMs) });
  }

  /**
   * Resets the delay between attempts for an app, a database or an object store. Call this function when no further
   * repair is needed.
   */
  succeeded(id: number): void {
    this.#failures.delete(id);
  }
}
