import type { InstanceUsage } from '../../adapters/engine/instance.ts';

/** Counters that only go up, until what they count begins anew. */
export interface Counters {
  /** Milliseconds since the epoch. */
  at: number;
  counts: readonly number[];
}

/** How much counters went up between two looks. */
export interface CounterGrowth {
  seconds: number;
  counts: number[];
}

/** How much things take in a time, from how much they took since they began. */
export class Rates {
  readonly #last = new Map<string, Counters>();

  /**
   * What was added since the last look; null at the first one, and when that is too long ago to say anything of now.
   * A counter that is lower than before began at 0 in between: all it has is new.
   */
  growth(id: string, now: Counters, longestMs: number): CounterGrowth | null {
    const last = this.#last.get(id);
    this.#last.set(id, now);
    if (last === undefined || now.at <= last.at || now.at - last.at > longestMs) return null;
    const counts = now.counts.map((count, i) => {
      const before = last.counts[i] ?? 0;
      return count >= before ? count - before : count;
    });
    return { seconds: (now.at - last.at) / 1_000, counts };
  }

  /** Forgets everything else. */
  keepOnly(ids: ReadonlyMap<string, unknown>): void {
    for (const id of this.#last.keys()) if (!ids.has(id)) this.#last.delete(id);
  }
}

export function countersOf({ at, cpuNs, receivedBytes, sentBytes }: InstanceUsage): Counters {
  return { at: at.getTime(), counts: [cpuNs, receivedBytes, sentBytes] };
}
