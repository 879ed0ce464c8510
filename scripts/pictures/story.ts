/** History of the example company in the screenshots. */
import type { Client } from '@davit/api';
import { collectWhenDue } from '@davit/daemon/resources/registry/collection-schedule.ts';
import { createLogger } from '@davit/service';
import { type BootOptions, bootDaemon, pushed, type TestDaemon } from '@davit/testkit';
import { simulatedLego } from '../../packages/daemon/test/support/simulated-lego.ts';
import { lots, StoryClock } from './clock.ts';
import { APPS, imageOf, isPushed, pathOf, VARIABLES } from './company.ts';
import { dressEngine, pushImage } from './engine.ts';
import { PastHour } from './past-hour.ts';
import { welcome } from './people.ts';
import { recordCertificates, recordGrants, recordRepositories } from './records.ts';
import { CRASH } from './words.ts';

/** A Thursday afternoon. */
export const NOW = Date.UTC(2026, 2, 12, 14, 32, 10);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const WEB = pathOf('shop/production/web');

/** Starts the instance of the screenshots with its history. The caller must dispose it. */
export async function bootStory(boot: BootOptions = {}): Promise<TestDaemon> {
  const clock = new StoryClock(NOW - 38 * DAY);
  const settings = { domain: '', httpPort: '80', httpsPort: '443', registryPort: '5000' };
  const daemon = await bootDaemon({ ...boot, claim: false, now: clock.now, settings, lego: simulatedLego });
  await new Story(daemon, clock).tell();
  return daemon;
}

class Story {
  readonly #daemon: TestDaemon;
  readonly #clock: StoryClock;
  #people: ReadonlyMap<string, Client> = new Map();
  /** Simulation of the last hour, or null before the hour has begun. */
  #hour: PastHour | null = null;

  constructor(daemon: TestDaemon, clock: StoryClock) {
    this.#daemon = daemon;
    this.#clock = clock;
  }

  async tell(): Promise<void> {
    const { engine } = this.#daemon;
    dressEngine(this.#daemon, this.#clock, (ms) => this.#pass(ms));
    await this.#daemon.restart();
    Object.assign(engine.capabilities, { simulated: false });
    this.#people = await welcome(this.#daemon, this.#clock, NOW);
    await this.#makeApps();
    await this.#firstWeeks();
    recordCertificates(this.#daemon, NOW);
    recordRepositories(this.#daemon);
    recordGrants(this.#daemon, NOW);
    await this.#lastDays();
    await this.#lastHour();
  }

  async #pass(ms: number): Promise<void> {
    if (this.#hour === null) this.#clock.forward(ms);
    else await this.#hour.until(this.#clock.now() + Math.round(ms));
  }

  #as(username: string): Client {
    const client = this.#people.get(username);
    if (client === undefined) throw new Error(`there is no user ${username}`);
    return client;
  }

  async #makeApps(): Promise<void> {
    const ada = this.#as('ada');
    await ada.patchSettings({ body: { domain: 'example.org' } });
    for (const { reference, settings } of APPS) {
      const { project, environment, app: name } = pathOf(reference);
      const source = isPushed(reference)
        ? { source: 'registry' as const }
        : { source: 'image' as const, image: imageOf(reference) };
      await ada.createApp({ body: { project, environment, name, port: 8080, ...source, ...settings } });
      this.#clock.forward(4 * MINUTE);
    }
    const { project, environment } = WEB;
    await ada.setProjectEnv({ params: { project }, body: { set: { ...VARIABLES.project } } });
    const shared = { set: { ...VARIABLES.environment }, secret: ['SENTRY_DSN'] };
    await ada.setEnvironmentEnv({ params: { project, environment }, body: shared });
    const own = { set: { ...VARIABLES.app }, secret: ['DATABASE_URL', 'SESSION_SECRET'] };
    await ada.setAppEnv({ params: WEB, body: own });
    await ada.addDomain({ params: WEB, body: { host: 'shop.example.com' } });
    await ada.addDomain({ params: WEB, body: { host: 'www.shop.example.com', redirect_to: 'shop.example.com' } });
    await ada.addDomain({ params: pathOf('blog/production/site'), body: { host: 'blog.example.com' } });
    await ada.addVolume({ params: pathOf('shop/production/worker'), body: { path: '/var/lib/queue' } });
    await ada.addVolume({ params: pathOf('tools/production/wiki'), body: { path: '/data' } });
    await ada.addRegistry({ body: { host: 'ghcr.io', username: 'example-pull', password: 'nobody-reads-this' } });
  }

  /** Deploys the first releases of all apps, a few days apart. */
  async #firstWeeks(): Promise<void> {
    const chance = lots(5);
    const all = APPS.flatMap(({ reference, tags }) => tags.map((tag, nth) => ({ reference, tag, nth })));
    const inOrder = all.toSorted((a, b) => a.nth - b.nth);
    const began = this.#clock.now();
    const length = NOW - 2 * DAY - began;
    for (const [n, { reference, tag }] of inOrder.entries()) {
      this.#clock.until(atWork(began + (length * n) / inOrder.length, chance()));
      const who = reference.startsWith('shop') ? (['grace', 'pipeline'][n % 2] ?? 'grace') : 'edsger';
      await this.#deploy(who, reference, tag);
    }
  }

  async #deploy(who: string, reference: string, tag: string, behaviour: object = {}): Promise<void> {
    if (isPushed(reference)) pushed(this.#daemon, reference, tag);
    const { registry } = this.#daemon.core.facts.ports;
    const image = isPushed(reference) ? `localhost:${registry}/${reference}` : imageOf(reference);
    pushImage(this.#daemon, `${image}:${tag}`, behaviour);
    await this.#as(who).deployApp({ params: pathOf(reference), query: { wait: 'true' }, body: { tag } });
  }

  async #lastDays(): Promise<void> {
    const clock = this.#clock;
    const grace = this.#as('grace');
    clock.until(NOW - 29 * HOUR);
    await this.#deploy('grace', 'shop/production/web', '2.14.0');
    clock.forward(11 * MINUTE);
    await grace.rollbackApp({ params: WEB, query: { wait: 'true' }, body: {} });
    clock.until(NOW - 26 * HOUR);
    await this.#deploy('pipeline', 'shop/production/api', '1.19.0');
    clock.until(NOW - 11 * HOUR);
    const { core } = this.#daemon;
    await collectWhenDue(core, core.now() - DAY, createLogger({ level: 'error' }));
    clock.until(NOW - 6 * HOUR);
    for (const command of ['npm run migrate', 'npm run warm-cache']) {
      clock.forward(43 * MINUTE);
      await grace.runInApp({ params: WEB, body: { command: command.split(' ') } });
    }
    clock.until(NOW - 2 * HOUR);
    await this.#schedule('export-orders', '15 2 * * *', 'node dist/export-orders.js --day yesterday');
    await this.#schedule('check-stock', '0 */4 * * *', 'node dist/check-stock.js');
  }

  /** Creates a schedule and its first run. */
  async #schedule(name: string, cron: string, command: string): Promise<void> {
    const grace = this.#as('grace');
    const body = { name, cron, command: command.split(' '), time_zone: 'Europe/Berlin' };
    const { id } = await grace.createSchedule({ params: WEB, body });
    this.#clock.forward(MINUTE);
    await grace.runSchedule({ params: { ...WEB, schedule: String(id) } });
    for (;;) {
      const [run] = await grace.listRuns({ params: WEB });
      if (run?.schedule === id && run.finished_at !== null) return;
    }
  }

  async #lastHour(): Promise<void> {
    const hour = new PastHour(this.#daemon, this.#clock, NOW);
    this.#clock.until(NOW - 63 * MINUTE);
    this.#hour = hour;
    await hour.until(NOW - 47 * MINUTE);
    await this.#deploy('pipeline', 'shop/production/web', '2.14.1');
    await hour.until(NOW - 21 * MINUTE);
    const crash = { exit: { exitCode: 1, oomKilled: false }, lines: [...CRASH] };
    await this.#deploy('pipeline', 'shop/production/api', '1.20.0', crash);
    await hour.until(NOW - 6 * MINUTE);
    await this.#deploy('grace', 'shop/production/web', '2.15.0');
    await hour.until(NOW - 3 * MINUTE);
    this.#kill('blog/production/comments');
    this.#kill('shop/production/search');
    await hour.until(NOW - 19_000);
    // The daemon orders no certificates now, because every name already has one.
    await this.#as('ada').patchSettings({ body: { acme: { email: 'ada@example.com' } } });
    await this.#beginDeploy('shop/staging/web', '2.15.1');
    await hour.until(NOW);
  }

  /** Starts a deployment that is still being checked when the screenshots are taken. */
  async #beginDeploy(reference: string, tag: string): Promise<void> {
    const gate = this.#daemon.engine.controls.pause('probe');
    pushImage(this.#daemon, `${imageOf(reference)}:${tag}`);
    await this.#as('pipeline').deployApp({ params: pathOf(reference), body: { tag } });
    await gate.reached;
  }

  /** Kills one replica permanently. */
  #kill(reference: string): void {
    const { controls } = this.#daemon.engine;
    const running = controls.containers().find(({ app, state }) => app === reference && state === 'running');
    if (running === undefined) return;
    // The replica exits whenever it is started again.
    Object.assign(running.behaviour, { exit: { exitCode: 137, oomKilled: true } });
    controls.kill(running.id, { oomKilled: true });
  }
}

/** Returns a time during working hours of the day. */
function atWork(at: number, chance: number): number {
  return Math.floor(at / DAY) * DAY + (8 + 7.8 * chance) * HOUR;
}
