/**
 * Histogram of request durations. Up to 16 ms, each bucket is 1 ms wide. Later buckets are wider, and an estimate is
 * wrong by at most 1/16.
 */

const EXACT = 16;
const KINDS_PER_DOUBLING = 8;
const EXACT_DOUBLINGS = Math.log2(EXACT);
/**
 * Exponent of the longest durations that have their own histogram buckets, 2^28 to 2^29 ms (three to six days). The
 * last bucket contains all longer durations.
 */
const DOUBLINGS = 28;
export const MOST_KINDS = EXACT + (DOUBLINGS - EXACT_DOUBLINGS + 1) * KINDS_PER_DOUBLING;

/**
 * Returns the index of the histogram bucket for a duration.
 * @param ms duration in whole milliseconds
 */
export function kindOf(ms: number): number {
  if (ms < EXACT) return Math.max(0, Math.trunc(ms));
  const doubling = Math.floor(Math.log2(ms));
  if (doubling > DOUBLINGS) return MOST_KINDS - 1;
  const within = Math.floor((ms / 2 ** doubling - 1) * KINDS_PER_DOUBLING);
  return EXACT + (doubling - EXACT_DOUBLINGS) * KINDS_PER_DOUBLING + within;
}

/**
 * Returns the duration in the middle of a histogram bucket, in milliseconds. It is the estimate for all durations in
 * the bucket.
 */
export function durationOf(kind: number): number {
  if (kind < EXACT) return kind;
  const doubling = Math.floor((kind - EXACT) / KINDS_PER_DOUBLING) + EXACT_DOUBLINGS;
  const within = (kind - EXACT) % KINDS_PER_DOUBLING;
  const width = 2 ** doubling / KINDS_PER_DOUBLING;
  return 2 ** doubling + (within + 0.5) * width - 0.5;
}

/** Number of requests in each histogram bucket. The array ends at the bucket of the longest duration so far. */
export class Durations {
  #counts = new Uint32Array(0);
  #total = 0;

  get total(): number {
    return this.#total;
  }

  add(kind: number, count = 1): void {
    if (kind >= this.#counts.length) {
      const grown = new Uint32Array(Math.min(MOST_KINDS, Math.ceil((kind + 1) / EXACT) * EXACT));
      grown.set(this.#counts);
      this.#counts = grown;
    }
    this.#counts[kind] = (this.#counts[kind] ?? 0) + count;
    this.#total += count;
  }

  /** Returns the histogram buckets with at least one request, shortest duration first. */
  *entries(): Generator<[kind: number, count: number]> {
    for (const [kind, count] of this.#counts.entries()) if (count > 0) yield [kind, count];
  }

  /**
   * Returns a quantile of the durations in milliseconds, or `null` without requests.
   * @param share fraction, for example 0.95 for the 95th percentile
   */
  quantile(share: number): number | null {
    if (this.#total === 0) return null;
    const rank = Math.max(1, Math.ceil(share * this.#total));
    let seen = 0;
    for (const [kind, count] of this.entries()) {
      seen += count;
      if (seen >= rank) return durationOf(kind);
    }
    return null;
  }
}
