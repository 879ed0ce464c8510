import type { InstanceSettings, MetricWindow } from '@davit/api';
import type { Logger } from '@davit/service';
import type { Engine } from '../../adapters/engine/engine.ts';
import { EngineUnavailable } from '../../adapters/engine/errors.ts';
import type { Store } from '../../db/store.ts';
import { measuredDatabases, measuredInstances } from '../../db/tables/metric.ts';
import { AppUse } from './app-use.ts';
import { History } from './history.ts';
import type { AppSample, AppTotals, MachineSample, Measured, Metrics, Series } from './metrics.ts';
import { Rates } from './rates.ts';
import { APP_SHAPE, appFigures, appSampleOf, MACHINE_SHAPE, machineFigures, machineSampleOf } from './samples.ts';
import { readMachine } from './server-usage.ts';

export interface SamplerParts {
  store: Store;
  engine: Engine;
  settings: () => InstanceSettings;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
  facts: { dataDir: string };
}

/**
 * Interval in milliseconds between writes of metrics to SQLite. It is long, because each commit requires a disk sync. A
 * crash may lose the metrics of one minute.
 */
const WRITE_EVERY_MS = 60_000;
/**
 * Maximum time between two measurements, as a multiple of the measuring interval. A rate over a longer time would not
 * show the current usage.
 */
const LONGEST_INTERVALS = 2.5;
/** Maximum time in milliseconds until a changed measuring interval takes effect. */
const LOOK_EVERY_MS = 30_000;
const MACHINE = 1;

/**
 * Measures replicas, databases and the server periodically. The measurements are aligned to the clock, so that each
 * time step contains one measurement.
 */
export class Sampler implements Metrics {
  readonly #parts: SamplerParts;
  readonly #log: Logger;
  readonly #apps = new History('app', APP_SHAPE);
  readonly #databases = new History('database', APP_SHAPE);
  readonly #machine = new History('machine', MACHINE_SHAPE);
  readonly #use = new AppUse();
  readonly #useOfDatabases = new AppUse();
  readonly #machineRates = new Rates();
  readonly #listeners = new Set<(measured: Measured) => void>();
  readonly #machineListeners = new Set<(at: number, sample: MachineSample | null) => void>();
  readonly #stopping = new AbortController();
  #latest: ReadonlyMap<number, AppSample> = new Map();
  #loaded = false;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | null = null;
  #isAway = false;

  /** Creates the object for periodic measurements. The measurements begin after a call of `start`. */
  constructor(parts: SamplerParts, log: Logger) {
    this.#parts = parts;
    this.#log = log;
  }

  start(): void {
    const everyMs = this.#intervalMs();
    const waitMs = everyMs - (this.#parts.now() % everyMs);
    const isNext = waitMs <= LOOK_EVERY_MS;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (isNext ? this.#measure() : this.start()), Math.min(waitMs, LOOK_EVERY_MS)).unref();
  }

  /**
   * Measures all apps, databases and the server now. The server's measurement is saved even if Docker is unavailable.
   * @throws EngineUnavailable
   */
  async sample(): Promise<void> {
    this.#load();
    const at = this.#parts.now();
    const intervalMs = this.#intervalMs();
    try {
      await this.#sampleMachine(at, intervalMs);
      await this.#sampleApps(at, intervalMs);
    } finally {
      // Close the periods that have ended. These periods are complete, because Davit measures in chronological order.
      for (const history of [this.#apps, this.#databases, this.#machine]) history.closeUntil(at + intervalMs / 2);
      if (at - this.#writtenAt >= WRITE_EVERY_MS) this.#attempt(() => this.write());
    }
  }

  /**
   * Writes the measurements to SQLite in one transaction. If the write fails, for example because the disk is full, the
   * next call tries again.
   */
  write(): void {
    this.#writtenAt = this.#parts.now();
    const histories = [this.#apps, this.#databases, this.#machine].filter(({ hasUnwritten }) => hasUnwritten);
    if (histories.length === 0) return;
    this.#parts.store.tx((tx) => {
      for (const history of histories) history.write(tx);
    });
    for (const history of histories) history.noteWritten();
  }

  app(appId: number, window: MetricWindow): Series<AppSample> {
    return this.#seriesOf(this.#apps, appId, window);
  }

  database(databaseId: number, window: MetricWindow): Series<AppSample> {
    return this.#seriesOf(this.#databases, databaseId, window);
  }

  #seriesOf(history: History, id: number, window: MetricWindow): Series<AppSample> {
    this.#load();
    const { stepS, samples } = history.read(window, id, this.#parts.now(), this.#intervalMs());
    return { stepS, samples: samples.map(({ at, figures }) => ({ at, sample: figures && appSampleOf(figures) })) };
  }

  machine(window: MetricWindow): Series<MachineSample> {
    this.#load();
    const { stepS, samples } = this.#machine.read(window, MACHINE, this.#parts.now(), this.#intervalMs());
    return { stepS, samples: samples.map(({ at, figures }) => ({ at, sample: figures && machineSampleOf(figures) })) };
  }

  latest(): ReadonlyMap<number, AppSample> {
    return this.#latest;
  }

  totals(): ReadonlyMap<number, AppTotals> {
    return this.#use.totals;
  }

  onSample(listener: (measured: Measured) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onMachine(listener: (at: number, sample: MachineSample | null) => void): () => void {
    this.#machineListeners.add(listener);
    return () => this.#machineListeners.delete(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new Error('stopping'));
    clearTimeout(this.#timer);
    await this.#round;
    this.#attempt(() => this.write());
  }

  #measure(): void {
    this.#round = this.#tick().finally(() => {
      this.#round = null;
      if (!this.#stopping.signal.aborted) this.start();
    });
  }

  async #tick(): Promise<void> {
    try {
      await this.sample();
      this.#isAway = false;
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      const isKnown = error instanceof EngineUnavailable && this.#isAway;
      this.#isAway = error instanceof EngineUnavailable;
      if (!isKnown)
        this.#log.warn(
          { error },
          'the resource usage of replicas could not be measured; Davit tries again in the next round',
        );
    }
  }

  /**
   * Runs a write to SQLite and logs an error instead of throwing it. A full disk must not stop the measurements or the
   * shutdown of the instance.
   */
  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#log.warn({ error }, 'metrics could not be written');
    }
  }

  #load(): void {
    if (this.#loaded) return;
    this.#loaded = true;
    for (const history of [this.#apps, this.#databases, this.#machine]) history.load(this.#parts.store);
  }

  #intervalMs(): number {
    return this.#parts.settings().metrics.interval_s * 1_000;
  }

  async #sampleApps(at: number, intervalMs: number): Promise<void> {
    const { store, engine } = this.#parts;
    const instances = measuredInstances(store);
    const databases = measuredDatabases(store);
    const ids = [...instances, ...databases].map(({ container_id }) => container_id);
    const usage = ids.length === 0 ? new Map() : await engine.usage(ids, this.#stopping.signal);
    const apps = this.#use.take(instances, usage, intervalMs * LONGEST_INTERVALS);
    for (const [appId, sample] of apps) this.#apps.add(at - intervalMs / 2, appId, appFigures(sample));
    const ofDatabases = this.#useOfDatabases.take(databases, usage, intervalMs * LONGEST_INTERVALS);
    for (const [id, sample] of ofDatabases) this.#databases.add(at - intervalMs / 2, id, appFigures(sample));
    this.#latest = apps;
    for (const listener of this.#listeners) listener({ at, apps });
  }

  async #sampleMachine(at: number, intervalMs: number): Promise<void> {
    const reading = await readMachine(at, this.#parts.facts.dataDir);
    const growth = reading && this.#machineRates.growth('', reading.counters, intervalMs * LONGEST_INTERVALS);
    const figures = reading && growth ? machineFigures(reading, growth) : null;
    if (figures !== null) this.#machine.add(at - intervalMs / 2, MACHINE, figures);
    const sample = figures && machineSampleOf(figures);
    for (const listener of this.#machineListeners) listener(at, sample);
  }
}
