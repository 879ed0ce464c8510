import { AppCreate, type DeploymentStatus, type DeploymentStepName } from '@davit/api';
import { createLogger } from '@davit/service';
import type { z } from 'zod';
import { createMemoryEngine, type MemoryEngine } from '../../src/adapters/engine/memory/memory.ts';
import { createMemoryProxy } from '../../src/adapters/proxy/memory/memory-proxy.ts';
import type { AppTarget } from '../../src/app-spec/app-target.ts';
import type { OpContext } from '../../src/auth/context.ts';
import { lookUp } from '../../src/authorization/lookup.ts';
import type { Core } from '../../src/composition/core.ts';
import { unchecked } from '../../src/db/select.ts';
import type { Store } from '../../src/db/store.ts';
import { type DeploymentRow, deploymentById } from '../../src/db/tables/deployment.ts';
import { watchContainers } from '../../src/reconcilers/containers.ts';
import { imagesTask } from '../../src/reconcilers/images.ts';
import { namesTask } from '../../src/reconcilers/names.ts';
import { retirementTask } from '../../src/reconcilers/retirement.ts';
import { keepRoutes } from '../../src/reconcilers/routes.ts';
import { createApp } from '../../src/resources/apps/settings.ts';
import { DeploymentRunner } from '../../src/resources/deployments/deployment-runner.ts';
import type { DeployRequest } from '../../src/resources/deployments/deploys.ts';
import { STEPS } from '../../src/resources/deployments/steps/index.ts';
import { DEPLOY_LIMITS, type Step } from '../../src/resources/deployments/work.ts';
import { createProject } from '../../src/resources/projects/project.ts';
import { routeTable } from '../../src/routing/route-table.ts';
import { DAVIT_ID, simulatedCore } from './simulated-core.ts';

export const REFERENCE = { project: 'shop', environment: 'production', app: 'web' };
const LIMITS = {
  ...DEPLOY_LIMITS,
  workerSettleMs: 1,
  firstProbeMs: 1,
  takeUpMs: 1,
  engineAwayMs: 5_000,
  proxyAwayMs: 5_000,
};

export type Steps = Record<DeploymentStepName, Step>;

type Settings = Partial<z.input<typeof AppCreate>>;

/**
 * A deployment runner with a simulated engine and proxy, without HTTP and timers. Reconcilers run only on request.
 * `crash` discards the runner at any point and starts another with the same database, engine and proxy.
 */
export class Harness implements AsyncDisposable {
  readonly engine: MemoryEngine = createMemoryEngine({ davitId: DAVIT_ID, anyImage: true });
  readonly proxy = createMemoryProxy();
  /** Logged errors. */
  readonly errors: string[] = [];
  readonly core: Core;
  readonly ctx: OpContext;
  machine: DeploymentRunner;
  /** Result of the disk guard. */
  diskProblem: string | null = null;
  #clock = Date.parse('2026-01-01T00:00:00Z');
  readonly #store: Store;
  readonly #sight;
  readonly #retirement;

  constructor(steps: Steps = STEPS) {
    const log = createLogger({ level: 'error', destination: { write: (line) => this.errors.push(line) } });
    this.core = simulatedCore({
      engine: this.engine,
      proxy: this.proxy,
      log,
      domain: 'localhost',
      clock: () => this.#clock,
      now: () => this.#clock++,
      deploys: () => this.machine,
      sight: () => this.#sight.latest(),
      diskGuard: () => this.diskProblem,
    });
    this.#store = this.core.store;
    const actor = { username: 'ada', role: 'admin', projects: null, via: 'api', userId: 1 } as const;
    this.ctx = { actor, requestId: 'test', log, signal: new AbortController().signal };
    this.#sight = watchContainers(this.core, (appId, options) => this.machine.repair(appId, options), log);
    this.#retirement = retirementTask(this.core);
    this.machine = this.#newMachine(steps);
  }

  /** Creates an environment with the app `shop/production/web` and an observed engine. */
  static async with(settings: Settings = {}, steps?: Steps): Promise<Harness> {
    const harness = new Harness(steps);
    createProject(harness.core, harness.ctx, { slug: 'shop' });
    harness.addApp('web', settings);
    await harness.look();
    return harness;
  }

  addApp(name: string, settings: Settings = {}): void {
    const input = { project: 'shop', environment: 'production', name, source: 'image', image: 'acme/web', ...settings };
    createApp(this.core, this.ctx, AppCreate.parse(input));
  }

  app(name = 'web'): AppTarget {
    return lookUp(this.#store, this.ctx.actor, 'operate', 'app', { ...REFERENCE, app: name });
  }

  /** Requests a deployment and returns its number while it runs. */
  request(options: Partial<DeployRequest> = {}, name = 'web'): Promise<number> {
    return this.machine.request(this.app(name), { trigger: { kind: 'api', by: 'ada', via: 'api' }, ...options });
  }

  /** Deploys a tag and returns the record at the end of the deployment. */
  async deploy(tag: string, options: Partial<DeployRequest> = {}): Promise<DeploymentRow> {
    const id = await this.request({ tag, ...options });
    await this.machine.settled();
    return this.row(id);
  }

  row(id: number): DeploymentRow {
    const row = deploymentById(this.#store, id);
    if (!row) throw new Error(`there is no deployment ${id}`);
    return row;
  }

  statuses(): DeploymentStatus[] {
    return this.#store
      .all(unchecked<{ status: DeploymentStatus }>('SELECT status FROM deployments ORDER BY id'))
      .map((row) => row.status);
  }

  /** Runs one pass of the engine's reconciler. */
  async look(): Promise<void> {
    await this.#sight.task.run(new AbortController().signal);
    await this.#sight.settled();
  }

  /** Returns why the replicas of an app do not run, as its record shows it. */
  reason(name = 'web'): string | null {
    return this.#sight.latest().reasonOf(this.app(name).id);
  }

  /** Reports that the kernel killed a process in a container, as an event of the engine does. */
  outOfMemory(containerId: string): void {
    this.#sight.outOfMemory(containerId);
  }

  /** Advances the clock. */
  wait(ms: number): void {
    this.#clock += ms;
  }

  /** Runs all reconcilers until the state no longer changes. The clock advances beyond every drain time. */
  async reconcile(): Promise<void> {
    this.#clock += 86_400_000;
    const signal = new AbortController().signal;
    await this.look();
    for (let pass = 0; pass < 2; pass++) {
      await this.#retirement.run(signal);
      await keepRoutes(this.core).task.run(signal);
      await namesTask(this.core).run(signal);
    }
    await imagesTask(this.core).run(signal);
    await this.look();
  }

  /** Simulates the end of the process at any point. Another process continues with the data on disk. */
  async crash(steps: Steps = STEPS): Promise<void> {
    await this.machine[Symbol.asyncDispose]();
    this.machine = this.#newMachine(steps);
    this.machine.recover();
  }

  /** Returns everything that a deployment may leave behind, in a comparable form. */
  async snapshot(): Promise<object> {
    return {
      containers: this.engine.controls.containers().map((c) => ({ id: c.id, name: c.name, state: c.state })),
      held: (await this.engine.heldImages()).sort(),
      table: routeTable(this.core),
      proxied: this.proxy.serving('web.production.shop.localhost'),
      resolved: this.engine.controls.resolve('web.production.shop.internal'),
      instances: this.#store.all(
        unchecked("SELECT name, address, role FROM instances WHERE role <> 'gone' ORDER BY id"),
      ),
      live: this.#store.get(unchecked('SELECT live_deployment, stopped FROM apps')),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.machine[Symbol.asyncDispose]();
    await this.core.logs[Symbol.asyncDispose]();
    this.#store[Symbol.dispose]();
  }

  #newMachine(steps: Steps): DeploymentRunner {
    return new DeploymentRunner(this.core, { limits: LIMITS, steps, log: this.ctx.log });
  }
}
