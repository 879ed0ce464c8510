/** Upper bounds of the duration buckets in seconds, from a cached read to a request that waits for a deployment. */
export const DURATIONS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60] as const;

/** Route of a request, as far as it is counted. */
export interface Counted {
  method: string;
  /** Path with `{name}` parameters. */
  path: string;
}

export interface RequestCount {
  /** Route, or `null` if no route matches. */
  of: Counted | null;
  /** Class of the status: `2xx` and so on. */
  status: string;
  count: number;
  seconds: number;
  /** Number of requests that took at most as long as each of {@link DURATIONS_S}. */
  within: number[];
}

const [COUNT, SECONDS, FIRST] = [0, 1, 2];
const CLASSES = 6;

/**
 * Counts responses by route and status. Each response costs only two additions, because this code runs for every
 * request.
 */
export class RequestCounts {
  readonly #rows = new Map<Counted | null, (Float64Array | undefined)[]>();

  /** @param ms time from the arrival of the request to the head of the response */
  count(of: Counted | null, status: number, ms: number): void {
    let rows = this.#rows.get(of);
    if (rows === undefined) {
      rows = new Array(CLASSES);
      this.#rows.set(of, rows);
    }
    const place = Math.trunc(status / 100);
    let cells = rows[place];
    if (cells === undefined) {
      cells = new Float64Array(FIRST + DURATIONS_S.length);
      rows[place] = cells;
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
      for (const [place, cells] of rows.entries()) {
        if (cells === undefined) continue;
        let sum = 0;
        const within = DURATIONS_S.map((_, kind) => {
          sum += cells[FIRST + kind] ?? 0;
          return sum;
        });
        yield { of, status: `${place}xx`, count: cells[COUNT] ?? 0, seconds: cells[SECONDS] ?? 0, within };
      }
    }
  }
}
