import type { AccessLine, AccessStand } from '../../adapters/proxy/access-log.ts';
import type { TrafficCountsRow } from '../../db/tables/traffic.ts';

/** Counters of one backend in one process of the proxy, at the time of its last log line. */
interface Stand {
  /** Id of the app that the counters belong to, or {@link NO_APP} or {@link UNKNOWN_APP}. */
  app: number;
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
/** Number of values per backend in a database row: its slot, its counters and its app. */
const WIDTH = 6;
/** Backend whose app had been removed at its first line. */
const NO_APP = -1;
/** Backend in a row of an earlier version of Davit. */
const UNKNOWN_APP = 0;

/** Follows the counters in log lines, so that the requests between two lines are counted exactly. */
export class TrafficCounts {
  readonly #processes = new Map<number, Map<number, Stand>>();
  readonly #changed = new Set<number>();

  load(rows: readonly TrafficCountsRow[]): void {
    for (const { process, data } of rows.slice(0, MOST_PROCESSES)) {
      const numbers = new Float64Array(data.slice().buffer);
      const stands = new Map<number, Stand>();
      for (let at = 0; at + WIDTH <= numbers.length; at += WIDTH) {
        const [slot = 0, lines = 0, requests = 0, counted = 0, missed = 0, app = UNKNOWN_APP] = numbers.subarray(
          at,
          at + WIDTH,
        );
        stands.set(slot, { lines, requests, counted, missed, app });
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
   * @param app id of the app of the backend, or `undefined` if the backend has no app
   * @returns `null` for a line of a process that was replaced long ago, and for the first line of an app that got the
   * backend of another app
   */
  follow(line: AccessLine, app: number | undefined): TrafficGrowth | null {
    const stand = this.#standOf(line, app);
    if (stand === null || giveTo(app, stand, line)) return null;
    stand.requests = Math.max(stand.requests, line.requests);
    const growth = growthOf(line, stand);
    stand.lines = Math.max(stand.lines, line.lines);
    stand.counted += growth.requests;
    stand.missed += growth.missed;
    return growth;
  }

  /**
   * Counts the remaining requests of a process as missed, because no more lines will come.
   * @param app id of the app of the backend, or `undefined` if the backend has no app
   * @returns number of missed requests
   */
  settle(told: AccessStand, app: number | undefined): number {
    const stand = this.#standOf(told, app);
    if (stand === null || giveTo(app, stand, told)) return 0;
    stand.requests = Math.max(stand.requests, told.requests);
    const missed = Math.max(0, stand.requests - stand.counted - stand.missed);
    stand.missed += missed;
    // Lines that arrive later count as late, and each one reduces the number of missed requests.
    stand.lines = Math.max(stand.lines, told.lines);
    return missed;
  }

  #standOf({ process, slot }: AccessStand, app: number | undefined): Stand | null {
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
      stand = { lines: 0, requests: 0, counted: 0, missed: 0, app: app ?? NO_APP };
      stands.set(slot, stand);
    }
    return stand;
  }
}

/**
 * Gives a backend to an app. The proxy goes on counting when another app gets the backend, so the first line of the new
 * app only shows where its counting begins.
 * @returns whether the backend had another app
 */
function giveTo(app: number | undefined, stand: Stand, { lines, requests }: AccessStand): boolean {
  if (app === undefined || stand.app === app) return false;
  const isOthers = stand.app !== UNKNOWN_APP;
  stand.app = app;
  if (isOthers) Object.assign(stand, { lines, requests, counted: requests, missed: 0 });
  return isOthers;
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
  for (const [slot, { lines, requests, counted, missed, app }] of stands) {
    numbers.set([slot, lines, requests, counted, missed, app], at);
    at += WIDTH;
  }
  return new Uint8Array(numbers.buffer);
}
