import type { InstanceUsage } from '../../adapters/engine/instance.ts';

/** Counters that only increase until they restart at 0. */
export interface Counters {
  /** Time in milliseconds since the epoch. */
  at: number;
  counts: readonly number[];
}

/** Increase of counters between two readings. */
export interface CounterGrowth {
  seconds: number;
  counts: number[];
}

/** Converter of increasing counters to increases per period. */
export class Rates {
  readonly #last = new Map<string, Counters>();

  /**
   * Returns the increase since the last reading. Returns `null` for the first reading, and if the last reading is too
   * old to describe the present. A counter below its last value has restarted at 0, so its whole value is new.
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

  /** Forgets all other ids. */
  keepOnly(ids: ReadonlyMap<string, unknown>): void {
    for (const id of this.#last.keys()) if (!ids.has(id)) this.#last.delete(id);
  }
}

export function countersOf({ at, cpuNs, receivedBytes, sentBytes }: InstanceUsage): Counters {
  return { at: at.getTime(), counts: [cpuNs, receivedBytes, sentBytes] };
}
