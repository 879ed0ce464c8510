import type { TestDaemon } from './daemon.ts';
import { paramsOf } from './factories.ts';
import { SEEDED } from './seed.ts';

const STEP_MS = 10_000;
/**
 * Numbers of the HAProxy backends whose apps get simulated HTTP requests. The first app that `seed` creates has the
 * number 1, the second app has the number 2, and so on.
 */
const VISITED_SLOTS = [1, 2, 3] as const;

/**
 * Simulated clock that is behind the real time. A test daemon with this clock records events and metrics in the past.
 * Pass the function `now` of the clock to `bootDaemon`.
 */
export class LateClock {
  behindMs: number;

  constructor(behindMs: number) {
    this.behindMs = behindMs;
  }

  readonly now = (): number => Date.now() - this.behindMs;
}

/**
 * Simulates HTTP requests to the apps that `seed` created. The number of requests varies with time, and some requests
 * fail.
 */
export class Visitors {
  readonly #daemon: TestDaemon;
  readonly #counted = new Map<number, number>();

  constructor(daemon: TestDaemon) {
    this.#daemon = daemon;
  }

  come(at: number, seconds: number): void {
    for (const slot of VISITED_SLOTS) {
      const wave = 1 + Math.sin(at / 400_000 + slot);
      const count = Math.round((2 + 8 * wave * Math.random()) * (seconds / slot));
      this.#daemon.accessLog.tell(Array.from({ length: count }, () => this.#line(slot, at)));
    }
  }

  #line(slot: number, at: number) {
    const count = (this.#counted.get(slot) ?? 0) + 1;
    this.#counted.set(slot, count);
    const chance = Math.random();
    const status = chance < 0.004 ? 502 : chance < 0.02 ? 404 : 200;
    const ms = Math.round(8 + 30 * Math.random() + (chance > 0.95 ? 300 * Math.random() : 0));
    return { process: 1, slot, lines: count, requests: count, at, status, ms, bytes: 4_000, sampled: false, host: 'a' };
  }
}

/**
 * Moves the simulated clock forward to the current time. Meanwhile, metrics, HTTP requests and deployments are
 * recorded, so that the dashboard shows a history.
 */
export async function seedHistory(daemon: TestDaemon, clock: LateClock): Promise<Visitors> {
  const visitors = new Visitors(daemon);
  const deploys = new Map([
    [150, ['web', 'v4']],
    [240, ['api', '2026.13-crash']],
    [300, ['web', 'v5']],
  ]);
  const steps = Math.floor(clock.behindMs / STEP_MS);
  for (let step = 0; step < steps; step += 1) {
    clock.behindMs -= STEP_MS;
    visitors.come(clock.now(), STEP_MS / 1_000);
    await daemon.core.metrics.sample();
    const [app, tag] = deploys.get(step) ?? [];
    if (app === undefined || tag === undefined) continue;
    const params = { ...paramsOf(SEEDED.web), app };
    await daemon.client.deployApp({ params, query: { wait: 'true' }, body: { tag } });
  }
  clock.behindMs = 0;
  return visitors;
}
