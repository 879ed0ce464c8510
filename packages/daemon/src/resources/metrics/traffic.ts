import { METRIC_WINDOWS, type MetricWindow } from '@davit/api';
import type { Logger } from '@davit/service';
import type { AccessLine, AccessLog, AccessStand } from '../../adapters/proxy/access-log.ts';
import type { Store } from '../../db/store.ts';
import { appOfSlot, trafficCounts, writeTrafficCounts } from '../../db/tables/traffic.ts';
import { TrafficCounts, type TrafficGrowth } from './traffic-counts.ts';
import { GRACE_MS, type TrafficAt, TrafficHistory } from './traffic-history.ts';
import type { AppTraffic } from './traffic-step.ts';

export interface TrafficParts {
  store: Store;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
}

/** Upper bounds in seconds of the Prometheus histogram buckets for response times of apps. */
export const ANSWERS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Total requests to an app since the start of this process. */
export interface TrafficTotals {
  /** Number of requests for each class of HTTP status codes. An example of a class is all codes from 200 to 299. */
  byClass: Float64Array;
  missed: number;
  /**
   * Highest value of `missed` so far. A Prometheus counter must never decrease. But `missed` decreases if a lost log
   * line arrives late.
   */
  missedMost: number;
  /**
   * Number of requests in each bucket of response times. {@link ANSWERS_S} contains the upper bounds. The last bucket
   * has no bound. Each request is in exactly one bucket.
   */
  within: Float64Array;
  seconds: number;
}

const NOTIFY_HOSTS_EVERY_MS = 600_000;
const MAXIMUM_NOTIFIED_HOSTS = 20_000;
const LOOK_EVERY_MS = 10_000;
/**
 * Delay in milliseconds before the first write to SQLite. During this time, log lines that HAProxy buffered during a
 * restart of Davit still change earlier counts.
 */
const CATCH_UP_MS = 20_000;

/** Counts the requests to each app from HAProxy's access log. */
export class Traffic implements AsyncDisposable {
  readonly #parts: TrafficParts;
  readonly #log: Logger;
  readonly #counts = new TrafficCounts();
  readonly #history: TrafficHistory;
  readonly #totals = new Map<number, TrafficTotals>();
  readonly #hostListeners = new Set<(host: string) => void>();
  readonly #notifiedHosts = new Set<string>();
  #notifiedSince = 0;
  #loaded = false;
  #startedAt = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  readonly #stopListening: () => void;

  /** Creates the counter of requests to apps. The counting begins after a call of `start`. */
  constructor(parts: TrafficParts, log: Logger) {
    this.#parts = parts;
    this.#log = log;
    this.#history = new TrafficHistory(parts.store);
    this.#stopListening = parts.store.onEvent(({ kind, appId, data }) => {
      if (kind === 'app' && appId !== null && data.change === 'deleted') this.#totals.delete(appId);
    });
  }

  /**
   * Starts to receive HAProxy's access log.
   * @throws Error if the access log cannot be received
   */
  async start(accessLog: AccessLog): Promise<void> {
    this.#load();
    this.#startedAt = this.#parts.now();
    await accessLog.start(this);
    this.#history.noteLooked(this.#startedAt);
    this.#wait();
  }

  take(lines: readonly AccessLine[]): void {
    this.#load();
    const { store } = this.#parts;
    const now = this.#parts.now();
    for (const line of lines) {
      const appId = store.memo(`app of slot ${line.slot}`, () => appOfSlot(store, line.slot));
      const growth = this.#counts.follow(line, appId);
      if (growth === null || appId === undefined) continue;
      const at = Math.min(line.at, now);
      this.#history.at(at, appId).add(line, growth);
      if (growth.missed < 0) this.#history.found(at, appId, -growth.missed);
      this.#total(appId, line, growth);
      this.#tellHost(line.host);
    }
  }

  /**
   * After an HAProxy process ended, counts the requests whose log lines did not arrive as missed. The number of
   * requests comes from the last counters of the process.
   */
  settle(stands: readonly AccessStand[]): void {
    this.#load();
    const { store } = this.#parts;
    for (const stand of stands) {
      const appId = appOfSlot(store, stand.slot);
      const missed = this.#counts.settle(stand, appId);
      if (missed === 0 || appId === undefined) continue;
      this.#history.at(this.#parts.now(), appId).missed += missed;
      this.#noteMissed(this.#totalsOf(appId), missed);
    }
  }

  /** Returns the request counts of an app for a chart, oldest first. Includes only time steps that have ended. */
  app(appId: number, window: MetricWindow): { stepS: number; steps: TrafficAt[] } {
    this.#load();
    const { stepS } = METRIC_WINDOWS[window];
    return { stepS, steps: this.#history.read(window, appId, this.#parts.now()) };
  }

  /**
   * Returns the request counts of an app in the last completed time step (10 seconds). Returns `null` if Davit did not
   * count requests in this time step.
   */
  latest(appId: number): AppTraffic | null {
    return this.#history.newest(appId, this.#parts.now());
  }

  totals(): ReadonlyMap<number, TrafficTotals> {
    return this.#totals;
  }

  /**
   * Registers a listener for the host names of requests. The listener receives each host name at most once in ten
   * minutes.
   * @returns function that removes the listener
   */
  onHost(listener: (host: string) => void): () => void {
    this.#hostListeners.add(listener);
    return () => this.#hostListeners.delete(listener);
  }

  /**
   * Called by a timer. Saves that Davit counts requests now, so that charts show zero requests instead of a gap. Writes
   * the counts to SQLite once a minute.
   */
  tick(): void {
    const now = this.#parts.now();
    this.#history.noteLooked(now);
    if (now - this.#notifiedSince >= NOTIFY_HOSTS_EVERY_MS || this.#notifiedHosts.size > MAXIMUM_NOTIFIED_HOSTS) {
      this.#notifiedSince = now;
      this.#notifiedHosts.clear();
    }
    if (this.#history.isDue(now) && now - this.#startedAt >= CATCH_UP_MS) this.#attempt();
  }

  write(): void {
    const now = this.#parts.now();
    const { rows, oldest } = this.#counts.save();
    this.#parts.store.tx((tx) => {
      this.#history.write(tx, now);
      if (rows.length > 0) writeTrafficCounts(tx, rows, oldest);
    });
    this.#counts.noteSaved();
    this.#history.noteWritten(now);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    this.#stopListening();
    if (this.#loaded) this.#attempt();
  }

  /**
   * Runs a write to SQLite and logs an error instead of throwing it. A full disk must not stop the request counter or
   * the shutdown of the instance.
   */
  #attempt(): void {
    try {
      this.write();
    } catch (error) {
      this.#log.warn({ error }, 'request counts could not be written; Davit tries again in the next minute');
    }
  }

  #wait(): void {
    const waitMs = LOOK_EVERY_MS - ((this.#parts.now() - GRACE_MS) % LOOK_EVERY_MS);
    this.#timer = setTimeout(() => {
      this.tick();
      this.#wait();
    }, waitMs).unref();
  }

  #load(): void {
    if (this.#loaded) return;
    this.#loaded = true;
    this.#history.load(this.#parts.now());
    this.#counts.load(trafficCounts(this.#parts.store));
  }

  #tellHost(host: string): void {
    if (this.#hostListeners.size === 0 || this.#notifiedHosts.has(host)) return;
    // Copy the host name. A substring of the log text would keep the whole text in memory.
    this.#notifiedHosts.add(Buffer.from(host).toString());
    try {
      for (const listener of this.#hostListeners) listener(host);
    } catch (error) {
      this.#log.warn(
        { error, host },
        'the first request for a host could not be processed; Davit tries again with the next request',
      );
      this.#notifiedHosts.delete(host);
    }
  }

  #total(appId: number, { status, ms }: AccessLine, { requests, missed }: TrafficGrowth): void {
    const totals = this.#totalsOf(appId);
    const statusClass = Math.trunc(status / 100) % 10;
    totals.byClass[statusClass] = (totals.byClass[statusClass] ?? 0) + requests;
    this.#noteMissed(totals, missed);
    if (ms === null || status === 101) return;
    const seconds = ms / 1_000;
    const found = ANSWERS_S.findIndex((bound) => seconds <= bound);
    const kind = found < 0 ? ANSWERS_S.length : found;
    totals.within[kind] = (totals.within[kind] ?? 0) + requests;
    totals.seconds += seconds * requests;
  }

  #noteMissed(totals: TrafficTotals, missed: number): void {
    totals.missed += missed;
    totals.missedMost = Math.max(totals.missedMost, totals.missed);
  }

  #totalsOf(appId: number): TrafficTotals {
    let totals = this.#totals.get(appId);
    if (totals === undefined) {
      const [byClass, within] = [new Float64Array(10), new Float64Array(ANSWERS_S.length + 1)];
      totals = { byClass, missed: 0, missedMost: 0, within, seconds: 0 };
      this.#totals.set(appId, totals);
    }
    return totals;
  }
}
