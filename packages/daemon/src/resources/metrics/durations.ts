/**
 * How long requests took, as counts of kinds of durations that can be added up. Up to 16 ms every millisecond is a kind of
 * its own, which is as fine as the proxy tells it; beyond, eight kinds to each doubling, so that no duration is told wrong
 * by more than a sixteenth.
 */

const EXACT = 16;
const KINDS_PER_DOUBLING = 8;
const EXACT_DOUBLINGS = Math.log2(EXACT);
/** Four days and a half; what takes longer counts as this. */
const DOUBLINGS = 28;
export const MOST_KINDS = EXACT + (DOUBLINGS - EXACT_DOUBLINGS + 1) * KINDS_PER_DOUBLING;

/** @param ms whole milliseconds */
export function kindOf(ms: number): number {
  if (ms < EXACT) return Math.max(0, Math.trunc(ms));
  const doubling = Math.floor(Math.log2(ms));
  if (doubling > DOUBLINGS) return MOST_KINDS - 1;
  const within = Math.floor((ms / 2 ** doubling - 1) * KINDS_PER_DOUBLING);
  return EXACT + (doubling - EXACT_DOUBLINGS) * KINDS_PER_DOUBLING + within;
}

/** The duration that stands for a kind, in milliseconds: the middle of it. */
export function durationOf(kind: number): number {
  if (kind < EXACT) return kind;
  const doubling = Math.floor((kind - EXACT) / KINDS_PER_DOUBLING) + EXACT_DOUBLINGS;
  const within = (kind - EXACT) % KINDS_PER_DOUBLING;
  const width = 2 ** doubling / KINDS_PER_DOUBLING;
  return 2 ** doubling + (within + 0.5) * width - 0.5;
}

/** Counts by kind. It takes the room of the longest duration that was in it. */
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

  /** The kinds that there are any of, ascending. */
  *entries(): Generator<[kind: number, count: number]> {
    for (const [kind, count] of this.#counts.entries()) if (count > 0) yield [kind, count];
  }

  /** The duration in milliseconds that a share of all took at most; null of none. */
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
