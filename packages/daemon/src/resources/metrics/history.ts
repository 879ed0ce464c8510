import { METRIC_WINDOWS, type MetricWindow } from '@davit/api';
import type { Reader, Tx } from '../../db/store.ts';
import { type MetricSubject, metricRows, trimMetricRows, writeMetricRow } from '../../db/tables/metric.ts';
import { type Combine, type Figures, Steps } from './steps.ts';

const WINDOWS = Object.keys(METRIC_WINDOWS) as MetricWindow[];
const FINEST: MetricWindow = '1h';

/**
 * Resource usage of all apps, all databases or the server over time. Each time window has samples at a fixed interval,
 * for example 10 seconds.
 */
export class History {
  readonly #subject: MetricSubject;
  readonly #windows: Record<MetricWindow, Steps>;

  constructor(subject: MetricSubject, shape: readonly Combine[]) {
    this.#subject = subject;
    const stepsOf = (window: MetricWindow) => {
      const { stepS, steps } = METRIC_WINDOWS[window];
      return [window, new Steps(stepS * 1_000, steps, shape)] as const;
    };
    this.#windows = Object.fromEntries(WINDOWS.map(stepsOf)) as Record<MetricWindow, Steps>;
  }

  /**
   * Loads the resource usage from SQLite. If samples of a longer interval are missing, calculates them from samples of
   * the shortest interval.
   */
  load(db: Reader): void {
    for (const steps of Object.values(this.#windows)) {
      steps.load(metricRows(db, this.#subject, steps.stepMs / 1_000));
    }
    const finest = this.#windows[FINEST];
    for (const steps of Object.values(this.#windows)) if (steps !== finest) steps.catchUp(finest);
  }

  add(moment: number, id: number, figures: Figures): void {
    for (const steps of Object.values(this.#windows)) steps.add(moment, id, figures);
  }

  /**
   * Closes all time steps that end at or before `moment`. After that, no measurements can be added to these time steps.
   */
  closeUntil(moment: number): void {
    for (const steps of Object.values(this.#windows)) steps.closeUntil(moment);
  }

  /**
   * Returns the measurements of a chart up to now. The chart has at most one value per `intervalMs`. An empty value
   * means that Davit did not measure.
   */
  read(window: MetricWindow, id: number, now: number, intervalMs: number) {
    const own = this.#windows[window];
    const stepMs = Math.ceil(intervalMs / own.stepMs) * own.stepMs;
    // The chart ends with the newest value. If the next measurement is late, the chart ends with an empty value.
    const due = Math.floor((now - intervalMs) / stepMs) * stepMs;
    const there = Math.min(Math.ceil(own.newest / stepMs), Math.floor(now / stepMs)) * stepMs;
    const end = Math.max(due, there);
    const count = Math.floor((METRIC_WINDOWS[window].steps * own.stepMs) / stepMs);
    const start = end - count * stepMs;
    const found = own.read(id, start, end, stepMs);
    return { stepS: stepMs / 1_000, samples: found.map((figures, i) => ({ at: start + (i + 1) * stepMs, figures })) };
  }

  get hasUnwritten(): boolean {
    return Object.values(this.#windows).some(({ unwritten }) => unwritten.length > 0);
  }

  /** Writes all completed samples that are not in SQLite yet. Call {@link noteWritten} after the SQLite transaction. */
  write(tx: Tx): void {
    for (const window of WINDOWS) {
      const { stepMs, newest, unwritten } = this.#windows[window];
      for (const { at, data } of unwritten) writeMetricRow(tx, this.#subject, stepMs / 1_000, { at, data });
      if (newest === 0) continue;
      const { steps } = METRIC_WINDOWS[window];
      trimMetricRows(tx, this.#subject, stepMs / 1_000, newest - (steps - 1) * stepMs, newest);
    }
  }

  noteWritten(): void {
    for (const steps of Object.values(this.#windows)) steps.noteWritten();
  }
}
