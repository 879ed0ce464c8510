import type { AccessLine, AccessStand } from '../../adapters/proxy/access-log.ts';
import type { TrafficCountsRow } from '../../db/tables/traffic.ts';

/** Counters of one backend in one process of the proxy, at the time of its last log line. */
interface Stand {
  lines: number;
  requests: number;
  /** Requests that are already included, as counted or as missed. */
  counted: number;
  missed: number;
}

/** Requests that a line adds to the known ones. */
export interface TrafficGrowth {
  /** Number of requests that the line reports. The number is exact, whatever lines the proxy left out for sampling. */
  requests: number;
  /** Number of requests whose lines were lost. Negative if a line arrives late that counted as lost. */
  missed: number;
}

/** Maximum number of proxy processes: one that runs and some that end. More at once are a mistake. */
const MOST_PROCESSES = 8;
/** Number of values per backend in a database row: its slot and its counters. */
const WIDTH = 5;

/** Follows the counters in log lines, so that the requests between two lines are counted exactly. */
export class TrafficCounts {
  readonly #processes = new Map<number, Map<number, Stand>>();
  readonly #changed = new Set<number>();

  load(rows: readonly TrafficCountsRow[]): void {
    for (const { process, data } of rows.slice(0, MOST_PROCESSES)) {
      const numbers = new Float64Array(data.slice().buffer);
      const stands = new Map<number, Stand>();
      for (let at = 0; at + WIDTH <= numbers.length; at += WIDTH) {
        const [slot = 0, lines = 0, requests = 0, counted = 0, missed = 0] = numbers.subarray(at, at + WIDTH);
        stands.set(slot, { lines, requests, counted, missed });
      }
      this.#processes.set(process, stands);
    }
  }

  /** Returns the changed counters since the last call, and the oldest valid process. */
  save(): { rows: TrafficCountsRow[]; oldest: number } {
    const rows = [...this.#changed].flatMap((process) => {
      const stands = this.#processes.get(process);
      return stands === undefined ? [] : [{ process, data: bytesOf(stands) }];
    });
    return { rows, oldest: Math.min(...this.#processes.keys()) };
  }

  /** Marks the result of {@link save} as written. */
  noteSaved(): void {
    this.#changed.clear();
  }

  /**
   * Returns the requests that a line adds.
   * @returns `null` for a line of a process that was replaced long ago
   */
  follow(line: AccessLine): TrafficGrowth | null {
    const stand = this.#standOf(line);
    if (stand === null) return null;
    stand.requests = Math.max(stand.requests, line.requests);
    const growth = growthOf(line, stand);
    stand.lines = Math.max(stand.lines, line.lines);
    stand.counted += growth.requests;
    stand.missed += growth.missed;
    return growth;
  }

  /**
   * Counts the remaining requests of a process as missed, because no more lines will come.
   * @returns number of missed requests
   */
  settle(told: AccessStand): number {
    const stand = this.#standOf(told);
    if (stand === null) return 0;
    stand.requests = Math.max(stand.requests, told.requests);
    const missed = Math.max(0, stand.requests - stand.counted - stand.missed);
    stand.missed += missed;
    // Lines that arrive later count as late, and each one reduces the number of missed requests.
    stand.lines = Math.max(stand.lines, told.lines);
    return missed;
  }

  #standOf({ process, slot }: AccessStand): Stand | null {
    let stands = this.#processes.get(process);
    if (stands === undefined) {
      if (this.#processes.size >= MOST_PROCESSES) {
        const oldest = Math.min(...this.#processes.keys());
        if (process < oldest) return null;
        this.#processes.delete(oldest);
      }
      stands = new Map();
      this.#processes.set(process, stands);
    }
    this.#changed.add(process);
    let stand = stands.get(slot);
    if (stand === undefined) {
      stand = { lines: 0, requests: 0, counted: 0, missed: 0 };
      stands.set(slot, stand);
    }
    return stand;
  }
}

/**
 * Computes the growth of a line. Each lost line stands for one request, and the next line includes the requests that
 * sampling left out.
 */
function growthOf({ lines }: AccessLine, stand: Stand): TrafficGrowth {
  const gap = lines - stand.lines - 1;
  // Two threads of the proxy wrote at once. This line counted as lost when the later line arrived.
  if (gap < 0) return stand.missed > 0 ? { requests: 1, missed: -1 } : { requests: 0, missed: 0 };
  const untold = Math.max(0, stand.requests - stand.counted - stand.missed);
  const missed = Math.min(gap, untold);
  return { requests: untold - missed, missed };
}

function bytesOf(stands: ReadonlyMap<number, Stand>): Uint8Array {
  const numbers = new Float64Array(stands.size * WIDTH);
  let at = 0;
  for (const [slot, { lines, requests, counted, missed }] of stands) {
    numbers.set([slot, lines, requests, counted, missed], at);
    at += WIDTH;
  }
  return new Uint8Array(numbers.buffer);
}
