/**
 * Request counts of apps per time step. The histograms of the counts need much memory, so Davit writes the counts to
 * SQLite every minute.
 */
import { METRIC_WINDOWS, type MetricWindow } from '@davit/api';
import type { Store, Tx } from '../../db/store.ts';
import { newestTrafficAt, trafficRows, trimTrafficRows, writeTrafficRow } from '../../db/tables/traffic.ts';
import { AppTraffic, encodeStep, mergeStep, readStep, type StepTraffic } from './traffic-step.ts';

/**
 * Time windows of charts, starting with the window that has the shortest time steps (10 seconds). The counts of each
 * longer window are sums of the counts of the previous window.
 */
const WINDOWS = Object.values(METRIC_WINDOWS);
const FINEST = METRIC_WINDOWS['1h'].stepS;
const STEP_MS = FINEST * 1_000;

/**
 * Time in milliseconds between the end of a period and the moment when Davit closes the period. HAProxy log lines that
 * arrive within this time are still counted.
 */
export const GRACE_MS = 1_000;
/** Time in milliseconds between two writes of the request counts to SQLite. */
export const WRITE_EVERY_MS = 60_000;

/** Requests to an app in one time step. `null` means that Davit did not count requests. */
export interface TrafficAt {
  /** End of the time step in which the requests were counted, in milliseconds since the epoch. */
  at: number;
  traffic: AppTraffic | null;
}

export class TrafficHistory {
  readonly #store: Store;
  /**
   * Map from end time to time step (of 10 seconds). It contains time steps that are not complete, or not yet written to
   * SQLite.
   */
  readonly #open = new Map<number, StepTraffic>();
  /**
   * Time up to which SQLite contains the request counts, in milliseconds since the epoch. It is always the end of a
   * 10-second time step.
   */
  #written = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Loads the request counts of the current 10-second time step from SQLite. Such counts exist if the daemon restarted
   * in this time step.
   */
  load(now: number): void {
    this.#written = Math.min(newestTrafficAt(this.#store, FINEST), Math.floor(now / STEP_MS) * STEP_MS);
    for (const { at, data } of trafficRows(this.#store, FINEST, this.#written, Number.MAX_SAFE_INTEGER)) {
      if (at - STEP_MS <= now) mergeStep(this.#stepOf(at), data);
    }
  }

  /**
   * Returns an app's request counts for the 10-second time step of `moment`. If SQLite already contains this step,
   * returns the counts of the first step that is not in SQLite.
   */
  at(moment: number, appId: number): AppTraffic {
    const step = this.#stepOf(Math.max(endOf(moment), this.#written + STEP_MS));
    let traffic = step.get(appId);
    if (traffic === undefined) {
      traffic = new AppTraffic();
      step.set(appId, traffic);
    }
    return traffic;
  }

  /** Reduces an app's missed requests by `count`, because the log lines of these requests arrived late. */
  found(moment: number, appId: number, count: number): void {
    let left = count;
    for (const at of [moment, moment + STEP_MS]) {
      const traffic = this.at(at, appId);
      const here = Math.min(traffic.missed, left);
      traffic.missed -= here;
      left -= here;
      if (left === 0) return;
    }
  }

  /**
   * Saves that Davit counts requests in this time step. If there are no requests, charts then show zero instead of a
   * gap.
   */
  noteLooked(moment: number): void {
    this.#stepOf(Math.max(endOf(moment), this.#written + STEP_MS));
  }

  /** Returns whether the request counts must be written to SQLite now. They are written once a minute. */
  isDue(now: number): boolean {
    return now - GRACE_MS - this.#written >= WRITE_EVERY_MS && this.#over(now) % WRITE_EVERY_MS === 0;
  }

  /**
   * Writes all request counts to SQLite. Write HAProxy's counters in the same transaction, so that both have the same
   * state. Then call {@link noteWritten}.
   */
  write(tx: Tx, now: number): void {
    const over = this.#over(now);
    for (const [at, step] of this.#open) writeTrafficRow(tx, FINEST, { at, data: encodeStep(step) });
    for (const [index, { stepS }] of WINDOWS.entries()) {
      const finer = WINDOWS[index - 1];
      if (finer !== undefined) combine(tx, finer.stepS, stepS, over);
    }
    for (const { stepS, steps } of WINDOWS) {
      /*
       * Delete request counts that are too old. If the clock was set back, also delete request counts with a time in
       * the future.
       */
      trimTrafficRows(tx, stepS, over - steps * stepS * 1_000, over + 2 * stepS * 1_000);
    }
  }

  noteWritten(now: number): void {
    this.#written = Math.max(this.#over(now), 0);
    for (const at of this.#open.keys()) if (at <= this.#written) this.#open.delete(at);
  }

  /** Returns the request counts of an app for a chart, oldest first. Includes only time steps that have ended. */
  read(window: MetricWindow, appId: number, now: number): TrafficAt[] {
    const { stepS, steps } = METRIC_WINDOWS[window];
    const end = stepS === FINEST ? this.#over(now) : this.#newestOf(stepS, now);
    const found = new Map(this.#found(stepS, appId, end - steps * stepS * 1_000, end));
    return Array.from({ length: steps }, (_, n) => {
      const at = end - (steps - 1 - n) * stepS * 1_000;
      return { at, traffic: found.get(at) ?? null };
    });
  }

  /**
   * Returns the request counts of an app for the newest completed 10-second time step. Returns `null` if Davit has no
   * counts for this step.
   */
  newest(appId: number, now: number): AppTraffic | null {
    const at = this.#over(now);
    /*
     * If both SQLite and the memory contain the time step, use the counts from memory, because they are newer. They are
     * last in the array.
     */
    return this.#found(FINEST, appId, at - STEP_MS, at).at(-1)?.[1] ?? null;
  }

  #found(stepS: number, appId: number, start: number, end: number): [at: number, traffic: AppTraffic][] {
    const rows = trafficRows(this.#store, stepS, start, end).map(({ at, data }): [number, AppTraffic] => [
      at,
      readStep(data, appId) ?? new AppTraffic(),
    ]);
    if (stepS !== FINEST) return rows;
    const open = [...this.#open].filter(([at]) => at > start && at <= end);
    return [...rows, ...open.map(([at, step]): [number, AppTraffic] => [at, step.get(appId) ?? new AppTraffic()])];
  }

  /**
   * Returns the end of a chart's last time step, which is the newest step in SQLite. If a write to SQLite failed,
   * returns a later time.
   */
  #newestOf(stepS: number, now: number): number {
    const due = floorTo(now - GRACE_MS - 2 * WRITE_EVERY_MS, stepS * 1_000);
    return Math.max(due, Math.min(newestTrafficAt(this.#store, stepS), floorTo(now, stepS * 1_000)));
  }

  #over(now: number): number {
    return floorTo(now - GRACE_MS, STEP_MS);
  }

  #stepOf(end: number): StepTraffic {
    let step = this.#open.get(end);
    if (step === undefined) {
      step = new Map();
      this.#open.set(end, step);
    }
    return step;
  }
}

/**
 * Calculates the request counts of longer time steps from shorter ones. Writes the counts that SQLite does not contain
 * yet.
 */
function combine(tx: Tx, finerS: number, stepS: number, over: number): void {
  const sums = new Map<number, StepTraffic>();
  for (const { at, data } of trafficRows(tx, finerS, newestTrafficAt(tx, stepS), over)) {
    const end = Math.ceil(at / (stepS * 1_000)) * stepS * 1_000;
    if (end > over) continue;
    const sum = sums.get(end) ?? new Map();
    sums.set(end, sum);
    mergeStep(sum, data);
  }
  for (const [at, sum] of sums) writeTrafficRow(tx, stepS, { at, data: encodeStep(sum) });
}

function endOf(moment: number): number {
  return floorTo(moment, STEP_MS) + STEP_MS;
}

function floorTo(moment: number, unit: number): number {
  return Math.floor(moment / unit) * unit;
}
