/**
 * Kills the daemon during deployments and retirements under traffic. Afterwards checks for missing acknowledged
 * records, for containers, networks and tags without a record, and for failed requests.
 */

import { randomInt } from 'node:crypto';
import { DavitError, type Deployment, isTerminal } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import type { Instance } from './instance.ts';
import { belongingsOf } from './instance-removal.ts';
import { inStoreCopy } from './store-copy.ts';
import { type Rates, startTraffic, type TrafficReport } from './traffic.ts';
import { APP, deployBoth, NEIGHBOUR } from './traffic-deploys.ts';

/** Time in milliseconds after a restart of the daemon within which every unfinished deployment must have ended. */
export const TERMINAL_WITHIN_MS = 60_000;
/** Kinds of containers that do not belong to apps. */
const PLATFORM = ['proxy', 'names', 'registry', 'firewall'];
/** One of this many kills happens between the switch and the end of the retirement. */
const LATE_KILL_EVERY = 3;
const CRASH_EVERY = 5;
const TWICE_EVERY = 4;
/**
 * Approximate duration of a deployment in milliseconds. Early kills happen at any time in it, late kills at any time in
 * the retirement after it.
 */
const DEPLOY_MS = 900;
const RETIREMENT_MS = 1_500;

export interface KillsReport {
  kills: number;
  /** Number of kills between the switch and the end of the retirement, according to the data on disk. */
  late: number;
  /** Number of kills by the state on disk: the phase of the open deployment, or that no deployment is open. */
  moments: Record<string, number>;
  /** Number of acknowledged deployments, and their results. */
  acknowledged: number;
  outcomes: Record<string, number>;
  lostRecords: number[];
  orphans: string[];
  /** Longest time in milliseconds from the start of the daemon until all unfinished deployments had ended. */
  slowestEndMs: number;
  slowestStartMs: number;
  traffic: TrafficReport;
}

/**
 * Runs cycles of deployments with kills.
 * @param onKill called after each kill, when all deployments have ended
 */
export async function killDuringDeploys(
  instance: Instance,
  kills: number,
  options: { rates?: Rates; onKill?: (done: number, moment: string) => void } = {},
): Promise<KillsReport> {
  await deployBoth(instance);
  const { httpPort: port } = instance;
  const hosts = { host: instance.hostOf(APP), neighbour: instance.hostOf(NEIGHBOUR) };
  await using traffic = await startTraffic({ port, ...hosts, ...(options.rates && { rates: options.rates }) });
  const run = new KillRun(instance);
  for (let done = 1; done <= kills; done += 1) {
    const moment = await run.cycle(done % LATE_KILL_EVERY === 0);
    options.onKill?.(done, moment);
  }
  await Promise.all([instance.atRest(APP), instance.atRest(NEIGHBOUR)]);
  return { ...run.report, ...(await run.judge()), kills, traffic: await traffic.stop() };
}

class KillRun {
  readonly report = {
    late: 0,
    moments: {} as Record<string, number>,
    slowestEndMs: 0,
    slowestStartMs: 0,
  };
  /** Journal of all deployments that were answered with 202. The journal is kept outside of the instance. */
  readonly #journal: number[] = [];
  readonly #instance: Instance;
  #cycle = 0;

  constructor(instance: Instance) {
    this.#instance = instance;
  }

  /**
   * Deploys, kills the daemon, starts it again and waits until all deployments have ended.
   * @returns the state on disk at the kill
   */
  async cycle(late: boolean): Promise<string> {
    const instance = this.#instance;
    this.#cycle += 1;
    const cycle = this.#cycle;
    // Failing releases are rolled back, and waiting deployments are superseded. Kills also happen then.
    const first = this.#ask(!late && cycle % CRASH_EVERY === 0 ? 'crash' : cycle % 2 === 0 ? 'v1' : 'v2');
    const second = !late && cycle % TWICE_EVERY === 0 ? this.#ask('v1') : null;
    if (late) await this.#switching(await first);
    await new Promise((resolve) => setTimeout(resolve, randomInt(late ? RETIREMENT_MS : DEPLOY_MS)));
    await instance.kill();
    await Promise.all([first, second]);
    const moment = await momentOf(instance);
    this.report.moments[moment.name] = (this.report.moments[moment.name] ?? 0) + 1;
    if (moment.late) this.report.late += 1;

    const started = performance.now();
    await instance.start();
    this.report.slowestStartMs = Math.max(this.report.slowestStartMs, performance.now() - started);
    for (const id of this.#journal.slice(-3)) await this.#ended(id);
    this.report.slowestEndMs = Math.max(this.report.slowestEndMs, performance.now() - started);
    return moment.name;
  }

  /**
   * Requests a deployment.
   * @returns its number, or null if the kill came before the response
   */
  async #ask(tag: string): Promise<number | null> {
    try {
      const { id } = (await this.#instance.client.deployApp({ params: APP, body: { tag } })) as Deployment;
      this.#journal.push(id);
      return id;
    } catch (error) {
      // An error response is a failure of the test. No response means that the kill came first.
      if (error instanceof DavitError) throw error;
      return null;
    }
  }

  async #switching(id: number | null): Promise<void> {
    if (id === null) return;
    await until(`deployment ${id} moves the traffic`, async () => {
      const { status, phase } = await this.#read(id);
      return phase === 'switching' || isTerminal(status) ? true : null;
    });
  }

  async #ended(id: number): Promise<void> {
    await until(`deployment ${id} has ended`, async () => {
      try {
        return isTerminal((await this.#read(id)).status) ? true : null;
      } catch (error) {
        // A lost record is counted at the end, together with all others.
        if (error instanceof DavitError && error.code === 'not_found') return true;
        throw error;
      }
    });
  }

  #read(id: number): Promise<Deployment> {
    return this.#instance.client.getDeployment({ params: { ...APP, deployment: String(id) } });
  }

  /** Compares the acknowledged deployments with the recorded ones. */
  async judge() {
    const outcomes: Record<string, number> = {};
    const lostRecords: number[] = [];
    const succeeded = new Set<string>();
    for (const id of this.#journal) {
      try {
        const { status } = await this.#read(id);
        outcomes[status] = (outcomes[status] ?? 0) + 1;
        if (status === 'succeeded') succeeded.add(String(id));
      } catch (error) {
        if (!(error instanceof DavitError) || error.code !== 'not_found') throw error;
        lostRecords.push(id);
      }
    }
    const orphans = await until('no orphan is left', async () => {
      const found = await orphansOf(this.#instance);
      return found.length === 0 ? found : null;
    }).catch(() => orphansOf(this.#instance));
    return { acknowledged: this.#journal.length, outcomes, lostRecords, orphans };
  }
}

/** Returns the objects at the engine with the id of the instance but without a record. */
async function orphansOf(instance: Instance): Promise<string[]> {
  const { containers, networks, volumes, tags } = await belongingsOf(instance.docker, instance.id ?? '');
  const apps = await instance.client.listApps();
  const known = new Set(apps.flatMap((app) => app.replicas.map(({ name }) => name)));
  const stray = containers.filter(({ kind, name }) => !PLATFORM.includes(kind) && !known.has(name));
  const proxies = containers.filter(({ kind }) => kind === 'proxy').slice(1);
  const orphanTags: string[] = [];
  for (const tag of tags) if (!(await accounts(instance, tag))) orphanTags.push(tag);
  return [
    ...[...stray, ...proxies].map(({ name }) => `container ${name}`),
    ...networks.slice(1).map((name) => `network ${name}`),
    ...volumes.map((name) => `volume ${name}`),
    ...orphanTags.map((tag) => `tag ${tag}`),
  ];
}

/** Returns whether an image tag at the engine belongs to a successful deployment. */
async function accounts({ client }: Instance, tag: string): Promise<boolean> {
  const [, project = '', environment = '', app = '', deployment = ''] = tag.split(/[/:]/);
  try {
    const { status } = await client.getDeployment({ params: { project, environment, app, deployment } });
    return status === 'succeeded';
  } catch (error) {
    if (error instanceof DavitError && error.code === 'not_found') return false;
    throw error;
  }
}

/** Returns the content of the database at the kill. */
function momentOf({ dataDir }: Instance): Promise<{ name: string; late: boolean }> {
  return inStoreCopy(dataDir, (db) => {
    const open = db.prepare("SELECT status, phase FROM deployments WHERE status IN ('pending', 'running')").get();
    const draining = db.prepare("SELECT 1 FROM instances WHERE role = 'draining'").get() !== undefined;
    const phase = open === undefined ? null : String(open.phase ?? open.status);
    if (phase === null) return { name: draining ? 'retiring' : 'at rest', late: draining };
    const late = phase === 'switching' || (draining && phase === 'pending');
    return { name: draining && phase !== 'switching' ? `${phase}, retiring the one before` : phase, late };
  });
}
