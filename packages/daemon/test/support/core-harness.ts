import { type AppCreate, AppCreate as AppCreateSchema, DavitError, type Role } from '@davit/api';
import { createLogger } from '@davit/service';
import type { EngineSight } from '../../src/adapters/engine/engine-sight.ts';
import { createMemoryEngine } from '../../src/adapters/engine/memory/memory.ts';
import { createMemoryProxy } from '../../src/adapters/proxy/memory/memory-proxy.ts';
import type { AppTarget } from '../../src/app-spec/app-target.ts';
import type { OpContext } from '../../src/auth/context.ts';
import { type EnvironmentTarget, lookUp, type ProjectTarget } from '../../src/authorization/lookup.ts';
import type { Core } from '../../src/composition/core.ts';
import { insertDeployment } from '../../src/db/tables/deployment.ts';
import { moveDeployment, setResolved } from '../../src/db/tables/deployment-life.ts';
import { insertInstance, instancesOfDeployment, moveInstances, setContainer } from '../../src/db/tables/instance.ts';
import { setLive } from '../../src/db/tables/release.ts';
import { createApp } from '../../src/resources/apps/settings.ts';
import type { DeployRequest, Deploys } from '../../src/resources/deployments/deploys.ts';
import { createProject } from '../../src/resources/projects/project.ts';
import { DAVIT_ID, simulatedCore } from './simulated-core.ts';

/** A deployment runner that records requests without running them, for tests of rules that need no running release. */
export class RecordedDeploys implements Deploys {
  readonly asks: (DeployRequest & { app: string })[] = [];
  removals = 0;
  /** Error that all further requests and removals throw. */
  failure: Error | null = null;

  async request(app: AppTarget, ask: DeployRequest): Promise<number> {
    if (this.failure) throw this.failure;
    return this.asks.push({ ...ask, app: app.reference });
  }
  async requestWith(): Promise<number[]> {
    throw new Error('nothing runs here');
  }
  async stop(): Promise<void> {
    throw new Error('nothing runs here');
  }
  async stopped(): Promise<void> {
    throw new Error('nothing runs here');
  }
  async plan() {
    return { steps: [], changes: [], rollback_of: null };
  }
  async planWith() {
    return [await this.plan()];
  }
  readonly limited: string[] = [];
  async limit(app: AppTarget): Promise<void> {
    if (this.failure) throw this.failure;
    this.limited.push(app.reference);
  }
  async cancel(): Promise<void> {
    throw new Error('nothing runs here');
  }
  async ended(): Promise<void> {
    throw new Error('nothing runs here');
  }
  async removeDeleted(): Promise<void> {
    this.removals += 1;
    if (this.failure) throw this.failure;
  }
  async settled(): Promise<void> {
    throw new Error('nothing runs here');
  }
}

/** The core with a database in memory, a simulated engine and proxy, and a deployment runner that only records. */
export class CoreHarness implements Disposable {
  readonly engine = createMemoryEngine({ davitId: DAVIT_ID, anyImage: true, now: () => new Date(this.clock) });
  readonly proxy = createMemoryProxy();
  readonly deploys = new RecordedDeploys();
  readonly core: Core;
  readonly admin: OpContext;
  sight: EngineSight = { available: true, version: '1', cpus: 2, seenAt: 0, problem: null, reasonOf: () => null };
  clock = Date.parse('2026-01-01T00:00:00Z');
  routeNudges = 0;
  /** Result of the disk guard. */
  diskProblem: string | null = null;

  constructor() {
    this.core = simulatedCore({
      engine: this.engine,
      proxy: this.proxy,
      log: createLogger({ level: 'error' }),
      domain: 'davit.test',
      clock: () => this.clock,
      now: () => this.clock++,
      deploys: () => this.deploys,
      sight: () => this.sight,
      diskGuard: () => this.diskProblem,
      nudgeRoutes: () => {
        this.routeNudges += 1;
      },
    });
    this.admin = this.as('admin');
  }

  /** Returns an environment with the project `shop` and the app `web` in `production`. */
  static withApp(settings: Partial<AppCreate> = {}): CoreHarness {
    const harness = new CoreHarness();
    createProject(harness.core, harness.admin, { slug: 'shop' });
    harness.addApp('web', settings);
    return harness;
  }

  /** Returns the context of a user with a role who sees all projects or only the named ones. */
  as(role: Role, projects: string[] | null = null): OpContext {
    const ids = projects?.map((slug) => this.project(slug).id) ?? null;
    const log = createLogger({ level: 'error' });
    const actor = { username: role, role, projects: ids, via: 'api', userId: 1 } as const;
    return { actor, requestId: 'test', log, signal: new AbortController().signal };
  }

  addApp(name: string, settings: Partial<AppCreate> = {}): void {
    const input = { project: 'shop', name, source: 'image', image: 'acme/web', ...settings };
    createApp(this.core, this.admin, AppCreateSchema.parse(input));
  }

  project(slug = 'shop'): ProjectTarget {
    return lookUp(this.core.store, this.admin.actor, 'read', 'project', { project: slug });
  }

  environment(slug = 'production', project = 'shop'): EnvironmentTarget {
    return lookUp(this.core.store, this.admin.actor, 'read', 'environment', { project, environment: slug });
  }

  app(app = 'web', environment = 'production', project = 'shop'): AppTarget {
    return lookUp(this.core.store, this.admin.actor, 'read', 'app', { project, environment, app });
  }

  /**
   * Records a live release with ready replicas.
   * @returns the number of the deployment
   */
  release({ tag = 'v1', replicas = 1, port = 8080 as number | null, name = 'web' } = {}): number {
    const app = this.app(name);
    const at = this.core.now();
    return this.core.store.tx((tx) => {
      const trigger = { kind: 'api', by: 'ada', via: 'api' } as const;
      const image = { image: `acme/web:${tag}`, imageId: 'sha256:1', digest: 'sha256:1' };
      const release = { appId: app.id, tag, ...image, revision: app.revision, trigger, rollbackOf: null, at };
      const id = insertDeployment(tx, release);
      setResolved(tx, id, { imageId: 'sha256:1', digest: 'sha256:1', port, healthcheck: false });
      for (let n = 1; n <= replicas; n++) {
        const address = `10.208.${app.environment.id}.${id * 10 + n}`;
        const limits = JSON.stringify(app.spec.limits);
        const own = { ordinal: n, name: `davit-${DAVIT_ID}-${id}-${n}`, address, limits };
        insertInstance(tx, { appId: app.id, deploymentId: id, environmentId: app.environment.id, ...own });
      }
      const ids = instancesOfDeployment(tx, id).map((row) => row.id);
      moveInstances(tx, ids, 'starting', 'active');
      moveDeployment(tx, { id, app_id: app.id }, 'running', { at });
      moveDeployment(tx, { id, app_id: app.id }, 'succeeded', { at });
      setLive(tx, app.id, id);
      return id;
    });
  }

  /** Creates containers at the simulated engine for the replicas of a deployment. */
  async runContainers(deployment: number): Promise<string[]> {
    const rows = instancesOfDeployment(this.core.store, deployment);
    const image = await this.engine.pullImage('acme/web:v1', null, new AbortController().signal);
    const network = await this.engine.ensureNetwork(`davit-${DAVIT_ID}-e1`);
    const first = Number(network.firstAddress.split('.').at(-1));
    const prefix = network.firstAddress.slice(0, network.firstAddress.lastIndexOf('.') + 1);
    const ids = await this.engine.createGroup({
      kind: 'app',
      app: 'shop/production/web',
      deployment,
      imageId: image.id,
      network: network.name,
      env: {},
      command: null,
      args: null,
      limits: { cpu: null, memoryBytes: null, pids: 100 },
      stopSignal: 'SIGTERM',
      volumes: [],
      tcpPorts: [],
      files: [],
      members: rows.map((row, i) => ({ name: row.name, address: `${prefix}${first + i}`, env: {} })),
    });
    this.core.store.tx((tx) => {
      for (const [i, row] of rows.entries()) setContainer(tx, row.id, ids[i] ?? '');
    });
    return ids;
  }

  [Symbol.dispose](): void {
    void this.core.logs[Symbol.asyncDispose]();
    this.core.store[Symbol.dispose]();
  }
}

/** Returns a check of an error, for `assert.throws` and `assert.rejects`. */
export function refusal(code: DavitError['code'], message: RegExp = /./): (error: unknown) => boolean {
  return (error) => error instanceof DavitError && error.code === code && message.test(error.message);
}
