import type { AccessLine, AccessStand } from '../../adapters/proxy/access-log.ts';
import type { TrafficCountsRow } from '../../db/tables/traffic.ts';

/** Counters of an HAProxy backend in one HAProxy process, from the newest log line of the process. */
interface Stand {
  /** Id of the app that uses the HAProxy backend, or {@link NO_APP} or {@link UNKNOWN_APP}. */
  app: number;
  lines: number;
  requests: number;
  /**
   * Number of requests that Davit counted. Requests whose log lines were lost are not included, but counted in
   * `missed`.
   */
  counted: number;
  missed: number;
}

export interface TrafficGrowth {
  /**
   * Number of requests that one HAProxy log line represents. With sampling, the number includes earlier requests that
   * HAProxy did not log.
   */
  requests: number;
  /**
   * Number of requests whose log lines were lost. The number is negative if the log line of a lost request arrives
   * late.
   */
  missed: number;
}

/**
 * Maximum number of HAProxy processes whose counters are stored. HAProxy has one active process, and after a reload a
 * few old processes.
 */
const MOST_PROCESSES = 8;
/** Number of values in SQLite for each HAProxy backend: the number of the backend, four counters and the app id. */
const WIDTH = 6;
/**
 * Value instead of an app id. It is used if the app was already deleted when the first log line of its HAProxy backend
 * arrived.
 */
const NO_APP = -1;
/** App id for an HAProxy backend whose app is unknown. An earlier Davit version did not store the app in SQLite. */
const UNKNOWN_APP = 0;

/**
 * Counts requests exactly, even if log lines are lost. For this, it calculates the difference of the HAProxy counters
 * in two lines of the access log.
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
   * Returns the counters that changed since the last call of {@link noteSaved}. Rows of HAProxy processes older than
   * `oldest` can be deleted from SQLite.
   */
  save(): { rows: TrafficCountsRow[]; oldest: number } {
    const rows = [...this.#changed].flatMap((process) => {
      const stands = this.#processes.get(process);
      return stands === undefined ? [] : [{ process, data: bytesOf(stands) }];
    });
    return { rows, oldest: Math.min(...this.#processes.keys()) };
  }

  /**
   * Clears the list of counters that must be saved. Call this method after the result of {@link save} was written to
   * SQLite.
   */
  noteSaved(): void {
    this.#changed.clear();
  }

  /**
   * Returns the number of requests that a log line adds. Returns `null` if the HAProxy process is too old, or if the
   * line is the first line for another app.
   * @param app `undefined` if no app uses the backend
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
   * After an HAProxy process ended, counts its requests without a log line as missed. Returns the number of these
   * requests.
   * @param app `undefined` if no app uses the backend
   */
  settle(counters: AccessStand, app: number | undefined): number {
    const stand = this.#standOf(counters, app);
    if (stand === null || giveTo(app, stand, counters)) return 0;
    stand.requests = Math.max(stand.requests, counters.requests);
    const missed = Math.max(0, stand.requests - stand.counted - stand.missed);
    stand.missed += missed;
    // Save the number of the last log line. If a line arrives late, its request then changes from missed to received.
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
 * Assigns an HAProxy backend to its current app. Excludes the requests to the previous app from the counters.
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
 * Calculates the number of requests that a log line represents. HAProxy numbers its log lines, so a missing number
 * means a missed request.
 */
function growthOf({ lines }: AccessLine, stand: Stand): TrafficGrowth {
  const gap = lines - stand.lines - 1;
  /*
   * HAProxy threads can write log lines in the wrong order. Davit has already counted the request of a late line as
   * missed.
   */
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
