/** Simulates the last hour: measurements, requests and log lines. */
import { METRIC_WINDOWS, type MetricWindow } from '@davit/api';
import { appBySlugs } from '@davit/daemon/db/tables/app.ts';
import type { TestDaemon } from '@davit/testkit';
import { unchecked } from '../../packages/daemon/src/db/select.ts';
import { lots, type StoryClock, wave } from './clock.ts';
import { APPS, pathOf } from './company.ts';
import { storefrontLine } from './words.ts';

const STEP_MS = 10_000;
/** Time in milliseconds before the end from which log lines are written. */
const WRITTEN_MS = 9 * 60_000;
const STOREFRONT = 'shop/production/web';
const GIB = 1024 ** 3;

export class PastHour {
  readonly #daemon: TestDaemon;
  readonly #clock: StoryClock;
  readonly #end: number;
  readonly #measure: () => Promise<void>;
  readonly #counted = new Map<number, number>();
  readonly #chance = lots(3);

  /** @param end end of the hour in milliseconds since the epoch */
  constructor(daemon: TestDaemon, clock: StoryClock, end: number) {
    this.#daemon = daemon;
    this.#clock = clock;
    this.#end = end;
    const { metrics } = daemon.core;
    this.#measure = metrics.sample.bind(metrics);
    pictureMachine(daemon);
  }

  async until(to: number): Promise<void> {
    const clock = this.#clock;
    for (;;) {
      const next = (Math.floor(clock.now() / STEP_MS) + 1) * STEP_MS;
      if (next > to) break;
      await this.#write(next);
      clock.until(next);
      this.#visit();
      await this.#measure();
    }
    clock.until(to);
  }

  #visit(): void {
    const { accessLog, core } = this.#daemon;
    for (const { reference, asked: requestRate } of APPS) {
      const slot = requestRate === undefined ? null : this.#slotOf(reference);
      if (slot === null || requestRate === undefined) continue;
      const much = wave(core.now(), slot) * (0.92 + 0.16 * this.#chance());
      const count = Math.round(requestRate * (STEP_MS / 1_000) * much);
      accessLog.tell(Array.from({ length: count }, () => this.#request(slot)));
    }
  }

  #slotOf(reference: string): number | null {
    const { store } = this.#daemon.core;
    const { project, environment, app } = pathOf(reference);
    const id = appBySlugs(store, project, environment, app)?.id ?? 0;
    return store.get(unchecked<{ slot: number }>('SELECT slot FROM routes WHERE app_id = ?'), id)?.slot ?? null;
  }

  #request(slot: number) {
    const at = this.#clock.now();
    const count = (this.#counted.get(slot) ?? 0) + 1;
    this.#counted.set(slot, count);
    const drawn = this.#chance();
    // The database is slow for two minutes of the hour.
    const isSlow = this.#end - at > 30 * 60_000 && this.#end - at < 32 * 60_000;
    const status = drawn < (isSlow ? 0.031 : 0.0006) ? 502 : drawn < 0.014 ? 404 : 200;
    const tail = this.#chance();
    const ms = Math.round((7 + 26 * this.#chance() + (tail > 0.94 ? 190 * this.#chance() : 0)) * (isSlow ? 3.4 : 1));
    return { process: 1, slot, lines: count, requests: count, at, status, ms, bytes: 6_000, sampled: false, host: 'a' };
  }

  /** Writes the log lines of the storefront until a time, distributed over its replicas. */
  async #write(to: number): Promise<void> {
    const { controls } = this.#daemon.engine;
    const clock = this.#clock;
    if (this.#end - to > WRITTEN_MS) return;
    const running = controls.containers().filter(({ app, state }) => app === STOREFRONT && state === 'running');
    while (running.length > 0) {
      clock.forward(180 + 900 * this.#chance());
      if (clock.now() >= to) return;
      const from = running[Math.floor(this.#chance() * running.length)] ?? running[0];
      const line = storefrontLine();
      if (from) controls.writeLog(from.id, line, line.startsWith('ERROR') ? 'stderr' : 'stdout');
    }
  }
}

/**
 * Replaces the measurements of the server. The daemon would otherwise measure a single moment of the machine that takes
 * the screenshots.
 */
export function pictureMachine({ core }: TestDaemon, busy = 1): void {
  const machine = (window: MetricWindow) => machineSeries(window, core.now(), busy);
  Object.assign(core.metrics, { sample: async () => undefined, machine });
}

/** Returns the use of the server, which varies like its apps. */
function machineSeries(window: MetricWindow, now: number, busy: number) {
  const { steps, stepS } = METRIC_WINDOWS[window];
  const last = Math.floor(now / (stepS * 1_000)) * stepS * 1_000;
  const chance = lots(stepS);
  const samples = Array.from({ length: steps }, (_, n) => {
    const at = last - (steps - 1 - n) * stepS * 1_000;
    const much = busy * wave(at, 1) * (0.9 + 0.2 * chance());
    const sample = {
      cpuPercent: 96 * much,
      memoryBytes: Math.round((1.2 + busy * (4.9 + 0.35 * wave(at, 2))) * GIB),
      memoryTotalBytes: 16 * GIB,
      diskBytes: Math.round((11.3 + busy * (51 + n / steps / 3)) * GIB),
      diskTotalBytes: 160 * GIB,
      receivedBytesPerS: Math.round(410_000 * much),
      sentBytesPerS: Math.round(busy * 1_900_000 * wave(at, 3) * (0.9 + 0.2 * chance())),
      load: 1.1 * much,
    };
    return { at, sample };
  });
  return { stepS, samples };
}
