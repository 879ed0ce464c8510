/** Upper bounds of the histogram buckets for API request durations, in seconds. */
export const DURATIONS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60] as const;

export interface Counted {
  method: string;
  /** URL path of the route with parameters in the form `{name}`. */
  path: string;
}

export interface RequestCount {
  /** Route of the API, or `null` for requests without a matching route. */
  of: Counted | null;
  /** Class of the HTTP status code, for example `2xx`. */
  status: string;
  count: number;
  seconds: number;
  /**
   * Cumulative histogram. Each element is the number of requests that were at most as slow as the upper bound in {@link
   * DURATIONS_S}.
   */
  within: number[];
}

const [COUNT, SECONDS, FIRST] = [0, 1, 2];
const CLASSES = 6;

/**
 * Counts API responses by route and class of the HTTP status code. This code must be fast, because it runs for every
 * request.
 */
export class RequestCounts {
  readonly #rows = new Map<Counted | null, (Float64Array | undefined)[]>();

  /** @param ms time from the arrival of the request to the response headers, in milliseconds */
  count(of: Counted | null, status: number, ms: number): void {
    let rows = this.#rows.get(of);
    if (rows === undefined) {
      rows = new Array(CLASSES);
      this.#rows.set(of, rows);
    }
    const statusClass = Math.trunc(status / 100);
    let cells = rows[statusClass];
    if (cells === undefined) {
      cells = new Float64Array(FIRST + DURATIONS_S.length);
      rows[statusClass] = cells;
    }
    const seconds = ms / 1_000;
    cells[COUNT] = (cells[COUNT] ?? 0) + 1;
    cells[SECONDS] = (cells[SECONDS] ?? 0) + seconds;
    let kind = 0;
    while (kind < DURATIONS_S.length && seconds > (DURATIONS_S[kind] ?? 0)) kind += 1;
    if (kind < DURATIONS_S.length) cells[FIRST + kind] = (cells[FIRST + kind] ?? 0) + 1;
  }

  *entries(): Generator<RequestCount> {
    for (const [of, rows] of this.#rows) {
      for (const [statusClass, cells] of rows.entries()) {
        if (cells === undefined) continue;
        let sum = 0;
        const within = DURATIONS_S.map((_, kind) => {
          sum += cells[FIRST + kind] ?? 0;
          return sum;
        });
        yield { of, status: `${statusClass}xx`, count: cells[COUNT] ?? 0, seconds: cells[SECONDS] ?? 0, within };
      }
    }
  }
}
