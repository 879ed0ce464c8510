/**
 * What was asked of apps, step by step, in every window. In memory are only the steps that are not on disk, a minute's;
 * coarse steps are put together of finer ones when they are over. A store of all steps in memory, as of what apps use, was
 * rejected: durations take many times the room.
 */
import { METRIC_WINDOWS, type MetricWindow } from '@davit/api';
import type { Store, Tx } from '../../db/store.ts';
import { newestTrafficAt, trafficRows, trimTrafficRows, writeTrafficRow } from '../../db/tables/traffic.ts';
import { AppTraffic, encodeStep, mergeStep, readStep, type StepTraffic } from './traffic-step.ts';

/** The finest first: each is made of the one before. */
const WINDOWS = Object.values(METRIC_WINDOWS);
const FINEST = METRIC_WINDOWS['1h'].stepS;
const STEP_MS = FINEST * 1_000;

/** How late a line may come; a step counts as over when it is that old. */
export const GRACE_MS = 1_000;
/** How long what is over may wait to be written. */
export const WRITE_EVERY_MS = 60_000;

/** Null: it was not looked. */
export interface TrafficAt {
  /** The step's end, milliseconds since the epoch. */
  at: number;
  traffic: AppTraffic | null;
}

export class TrafficHistory {
  readonly #store: Store;
  /** By their end. */
  readonly #open = new Map<number, StepTraffic>();
  /** The end of the newest step that is on disk and over. */
  #written = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Takes up what an earlier process wrote, the step that it did not end too. */
  load(now: number): void {
    this.#written = Math.min(newestTrafficAt(this.#store, FINEST), Math.floor(now / STEP_MS) * STEP_MS);
    for (const { at, data } of trafficRows(this.#store, FINEST, this.#written, Number.MAX_SAFE_INTEGER)) {
      if (at - STEP_MS <= now) mergeStep(this.#stepOf(at), data);
    }
  }

  /** The figures of an app in the step of a moment; where that is on disk already, in the first that is not. */
  at(moment: number, appId: number): AppTraffic {
    const step = this.#stepOf(Math.max(endOf(moment), this.#written + STEP_MS));
    let traffic = step.get(appId);
    if (traffic === undefined) {
      traffic = new AppTraffic();
      step.set(appId, traffic);
    }
    return traffic;
  }

  /** Takes back that requests were missed, of which a line that ended at a moment came late: the one before it said so. */
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

  /** That it is looked at a moment, whether anything comes or not. */
  noteLooked(moment: number): void {
    this.#stepOf(Math.max(endOf(moment), this.#written + STEP_MS));
  }

  /** Whether a minute has gone by since steps were written. */
  isDue(now: number): boolean {
    return now - GRACE_MS - this.#written >= WRITE_EVERY_MS && this.#over(now) % WRITE_EVERY_MS === 0;
  }

  /**
   * Writes what is not on disk, the step under way too: where the proxy's counters stand is written with it, and both
   * must tell of the same requests. {@link noteWritten} says that the transaction held.
   */
  write(tx: Tx, now: number): void {
    const over = this.#over(now);
    for (const [at, step] of this.#open) writeTrafficRow(tx, FINEST, { at, data: encodeStep(step) });
    for (const [place, { stepS }] of WINDOWS.entries()) {
      const finer = WINDOWS[place - 1];
      if (finer !== undefined) combine(tx, finer.stepS, stepS, over);
    }
    for (const { stepS, steps } of WINDOWS) {
      // Two on: what is not over ends then. A clock that was set back leaves others behind.
      trimTrafficRows(tx, stepS, over - steps * stepS * 1_000, over + 2 * stepS * 1_000);
    }
  }

  noteWritten(now: number): void {
    this.#written = Math.max(this.#over(now), 0);
    for (const at of this.#open.keys()) if (at <= this.#written) this.#open.delete(at);
  }

  /** The steps of a window that are over, oldest first. */
  read(window: MetricWindow, appId: number, now: number): TrafficAt[] {
    const { stepS, steps } = METRIC_WINDOWS[window];
    const end = stepS === FINEST ? this.#over(now) : this.#newestOf(stepS, now);
    const found = new Map(this.#found(stepS, appId, end - steps * stepS * 1_000, end));
    return Array.from({ length: steps }, (_, n) => {
      const at = end - (steps - 1 - n) * stepS * 1_000;
      return { at, traffic: found.get(at) ?? null };
    });
  }

  /** The figures of an app in the newest step that is over; null where nobody looked. */
  newest(appId: number, now: number): AppTraffic | null {
    const at = this.#over(now);
    // What was written of it before it was over comes first.
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

  /** A coarse step that is over is on disk with the next write. */
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

/** Writes the coarse steps that are over and are not there, of the finer ones in them. */
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
