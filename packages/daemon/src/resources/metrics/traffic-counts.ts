import type { AccessLine, AccessStand } from '../../adapters/proxy/access-log.ts';
import type { TrafficCountsRow } from '../../db/tables/traffic.ts';

/** Counters of an HAProxy backend in one HAProxy process, as reported by the newest log line. */
interface Stand {
  /** Id of the app that uses the HAProxy backend, or {@link NO_APP} or {@link UNKNOWN_APP}. */
  app: number;
  lines: number;
  requests: number;
  /** Number of requests that were counted. Requests whose log lines were lost are counted in `missed` instead. */
  counted: number;
  missed: number;
}

export interface TrafficGrowth {
  /**
   * Number of requests that Davit counts for one HAProxy log line. With sampling, HAProxy logs only some requests. The
   * number then includes the requests before the line that were not logged.
   */
  requests: number;
  /**
   * Number of requests whose log lines were lost. Negative if a log line arrives late, after it was counted as lost.
   */
  missed: number;
}

/**
 * Maximum number of HAProxy processes whose counters are stored. HAProxy has one active process, and a few old
 * processes after a reload.
 */
const MOST_PROCESSES = 8;
/**
 * Number of values that SQLite stores for each HAProxy backend: the number of the backend, four counters and the app
 * id.
 */
const WIDTH = 6;
/** Used in place of an app id if the app was already deleted when the first log line of its HAProxy backend arrived. */
const NO_APP = -1;
/**
 * App id for HAProxy backends whose app is unknown, because an earlier Davit version did not store the app in SQLite.
 */
const UNKNOWN_APP = 0;

/**
 * Counts requests exactly, even if HAProxy log lines are lost. Each line of the access log contains counters of
 * HAProxy. The difference between the counters of two lines is the number of requests between them.
 */
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

  /**
   * Returns the HAProxy counters that changed since the last call of {@link noteSaved} and must be saved in SQLite.
   * `oldest` is the start time of the oldest HAProxy process whose counters Davit still keeps. SQLite rows of earlier
   * processes can be deleted.
   */
  save(): { rows: TrafficCountsRow[]; oldest: number } {
    const rows = [...this.#changed].flatMap((process) => {
      const stands = this.#processes.get(process);
      return stands === undefined ? [] : [{ process, data: bytesOf(stands) }];
    });
    return { rows, oldest: Math.min(...this.#processes.keys()) };
  }

  /** Clears the list of counters that must be saved. Call it after the result of {@link save} was written to SQLite. */
  noteSaved(): void {
    this.#changed.clear();
  }

  /**
   * Returns how many new requests Davit counts for a line of the HAProxy access log.
   * @param app id of the app that uses the HAProxy backend, or `undefined` if no app uses it
   * @returns `null` if the line must not be counted. This is the case for lines of very old HAProxy processes. It is
   * also the case for the first line after another app got the backend.
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
   * Finds the requests whose log lines did not arrive after an HAProxy process ended. To do this, compares the last
   * counters of the process with the received log lines. Counts these requests as missed.
   * @param app id of the app that uses the HAProxy backend, or `undefined` if no app uses it
   * @returns number of requests that are now counted as missed
   */
  settle(counters: AccessStand, app: number | undefined): number {
    const stand = this.#standOf(counters, app);
    if (stand === null || giveTo(app, stand, counters)) return 0;
    stand.requests = Math.max(stand.requests, counters.requests);
    const missed = Math.max(0, stand.requests - stand.counted - stand.missed);
    stand.missed += missed;
    // Save the number of the last line. If a missing line arrives later, its request is then not counted as missed.
    stand.lines = Math.max(stand.lines, counters.lines);
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
 * Assigns an HAProxy backend to the app that uses it now. HAProxy's counters of the backend still include the requests
 * to the previous app. Davit therefore saves the counter values in the new app's first log line, and counts only later
 * requests.
 * @returns whether another app used the backend before
 */
function giveTo(app: number | undefined, stand: Stand, { lines, requests }: AccessStand): boolean {
  if (app === undefined || stand.app === app) return false;
  const isOthers = stand.app !== UNKNOWN_APP;
  stand.app = app;
  if (isOthers) Object.assign(stand, { lines, requests, counted: requests, missed: 0 });
  return isOthers;
}

/**
 * Calculates how many requests Davit counts for a log line. HAProxy numbers its log lines. If a number is missing, a
 * log line was lost, and its request counts as missed. With sampling, HAProxy logs only some requests. The result then
 * includes the requests before the line that were not logged.
 */
function growthOf({ lines }: AccessLine, stand: Stand): TrafficGrowth {
  const gap = lines - stand.lines - 1;
  // HAProxy threads can write log lines in the wrong order. If a line is late, Davit already counted it as lost.
  if (gap < 0) return stand.missed > 0 ? { requests: 1, missed: -1 } : { requests: 0, missed: 0 };
  const unaccounted = Math.max(0, stand.requests - stand.counted - stand.missed);
  const missed = Math.min(gap, unaccounted);
  return { requests: unaccounted - missed, missed };
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
