import type { InstanceUsage } from '../../adapters/engine/instance.ts';

/** Values of several counters at one time. A counter only increases, except that it can restart at 0. */
export interface Counters {
  /** Time in milliseconds since the epoch at which the counter values were read. */
  at: number;
  counts: readonly number[];
}

export interface CounterGrowth {
  seconds: number;
  counts: number[];
}

export class Rates {
  readonly #last = new Map<string, Counters>();

  /**
   * Returns the increase of the counters since the last measurement. Returns `null` if there was no measurement within
   * `longestMs`. If a counter has decreased, it has restarted at 0.
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

  /**
   * Deletes the earlier measurements of all containers except the given ones.
   * @param ids map with the ids of the containers to keep
   */
  keepOnly(ids: ReadonlyMap<string, unknown>): void {
    for (const id of this.#last.keys()) if (!ids.has(id)) this.#last.delete(id);
  }
}

export function countersOf({ at, cpuNs, receivedBytes, sentBytes }: InstanceUsage): Counters {
  return { at: at.getTime(), counts: [cpuNs, receivedBytes, sentBytes] };
}
