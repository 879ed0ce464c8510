import type { AccessLine, AccessStand } from '../../adapters/proxy/access-log.ts';
import type { TrafficCountsRow } from '../../db/tables/traffic.ts';

/** Where the counters of one backend in one process of the proxy stood when its last line was written. */
interface Stand {
  lines: number;
  requests: number;
  /** Requests that were told of already, as counted or as missed. */
  counted: number;
  missed: number;
}

/** What a line adds to what was known before. */
export interface TrafficGrowth {
  /** Requests that it tells of; exact, whatever lines were left out on purpose. */
  requests: number;
  /** Requests of which nothing more will be known: their lines were lost. Negative: a line came late that was missed. */
  missed: number;
}

/** One process and those that end: more than a few at once are a mistake. */
const MOST_PROCESSES = 8;
/** Numbers of a backend in a row of the store: its slot, then its stand. */
const WIDTH = 5;

/** Follows the counters that lines carry, so that what is between two lines is counted and never guessed. */
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

  /** The processes whose counters moved since the last time, and the oldest that counts. */
  save(): { rows: TrafficCountsRow[]; oldest: number } {
    const rows = [...this.#changed].flatMap((process) => {
      const stands = this.#processes.get(process);
      return stands === undefined ? [] : [{ process, data: bytesOf(stands) }];
    });
    return { rows, oldest: Math.min(...this.#processes.keys()) };
  }

  /** What {@link save} answered is on disk. */
  noteSaved(): void {
    this.#changed.clear();
  }

  /** @returns null for a line of a process that has long been replaced */
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

  /** Nothing more is told of what a process counted. @returns how many are missed by that */
  settle(told: AccessStand): number {
    const stand = this.#standOf(told);
    if (stand === null) return 0;
    stand.requests = Math.max(stand.requests, told.requests);
    const missed = Math.max(0, stand.requests - stand.counted - stand.missed);
    stand.missed += missed;
    // Lines that are on their way come late now, and each takes back its own.
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

/** A line that was lost stood for one request; what was left out on purpose comes with the next line. */
function growthOf({ lines }: AccessLine, stand: Stand): TrafficGrowth {
  const gap = lines - stand.lines - 1;
  // Two threads of the proxy wrote at once: what the later line took for lost is here.
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
