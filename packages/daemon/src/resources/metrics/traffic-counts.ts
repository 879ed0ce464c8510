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
   * Number of requests that the log line stands for. The number is exact, even if HAProxy left out log lines because of
   * sampling.
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
/** Number of values for each HAProxy backend in a SQLite row: its number, its counters and its app. */
const WIDTH = 6;
/** App id for an HAProxy backend whose first log line arrived after its app was deleted. */
const NO_APP = -1;
/**
 * App id for an HAProxy backend if SQLite does not contain its app, because an earlier Davit version did not store it.
 */
const UNKNOWN_APP = 0;

/**
 * Stores the counters that each line of HAProxy's access log contains. The difference between two lines gives the exact
 * number of requests in between.
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
   * Returns the counters that have changed since the last call of {@link noteSaved}. Also returns the start time of the
   * oldest HAProxy process with stored counters, so that older counters can be deleted.
   */
  save(): { rows: TrafficCountsRow[]; oldest: number } {
    const rows = [...this.#changed].flatMap((process) => {
      const stands = this.#processes.get(process);
      return stands === undefined ? [] : [{ process, data: bytesOf(stands) }];
    });
    return { rows, oldest: Math.min(...this.#processes.keys()) };
  }

  /** Marks all counters as unchanged. Call it after the result of {@link save} was written to SQLite. */
  noteSaved(): void {
    this.#changed.clear();
  }

  /**
   * Returns how many requests a line of HAProxy's access log adds to the counts of an app.
   * @param app id of the app that uses the HAProxy backend, or `undefined` if no app uses it
   * @returns `null` if the line must not be counted. This is a line of an old HAProxy process without stored counters,
   * or an app's first line on a backend that another app used before.
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
   * Counts the requests of an ended HAProxy process whose log lines did not arrive, and adds them to the missed
   * requests.
   * @param app id of the app that uses the HAProxy backend, or `undefined` if no app uses it
   * @returns number of newly missed requests
   */
  settle(told: AccessStand, app: number | undefined): number {
    const stand = this.#standOf(told, app);
    if (stand === null || giveTo(app, stand, told)) return 0;
    stand.requests = Math.max(stand.requests, told.requests);
    const missed = Math.max(0, stand.requests - stand.counted - stand.missed);
    stand.missed += missed;
    // Save the last line number, so that a log line that still arrives counts as late and reduces `missed` by one.
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
 * Assigns an HAProxy backend to an app. HAProxy does not reset the counters of the backend when another app gets it.
 * Therefore Davit counts the requests of the new app from the counters in its first log line.
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
 * Calculates how many requests a log line adds. For each missing line number, one log line was lost, so one request was
 * missed. The current log line also stands for requests that HAProxy did not log because of sampling.
 */
function growthOf({ lines }: AccessLine, stand: Stand): TrafficGrowth {
  const gap = lines - stand.lines - 1;
  // The line is late because two HAProxy threads wrote at the same time. It was already counted as a lost line.
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
