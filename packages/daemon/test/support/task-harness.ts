import { createLogger } from '@davit/service';
import { patience } from '@davit/testkit/waiting';
import { createMemoryEngine, type MemoryEngine } from '../../src/adapters/engine/memory/memory.ts';
import { createMemoryProxy } from '../../src/adapters/proxy/memory/memory-proxy.ts';
import type { OpContext } from '../../src/auth/context.ts';
import type { Core } from '../../src/composition/core.ts';
import { TASK_KINDS } from '../../src/composition/task-kinds.ts';
import { type TaskRow, taskById } from '../../src/db/tables/task.ts';
import { insertUser } from '../../src/db/tables/user.ts';
import { watchContainers } from '../../src/reconcilers/containers.ts';
import { managedServicesTask } from '../../src/reconcilers/managed-services.ts';
import { releaseOrphans } from '../../src/resources/backups/orphans.ts';
import { DATABASE } from '../../src/resources/databases/managed-service.ts';
import { DeploymentRunner } from '../../src/resources/deployments/deployment-runner.ts';
import { STEPS } from '../../src/resources/deployments/steps/index.ts';
import { DEPLOY_LIMITS } from '../../src/resources/deployments/work.ts';
import { STORE } from '../../src/resources/object-stores/managed/managed-service.ts';
import { createProject } from '../../src/resources/projects/project.ts';
import { type AnyTaskKind, TASK_LIMITS } from '../../src/resources/tasks/kind.ts';
import { TaskRunner } from '../../src/resources/tasks/task-runner.ts';
import { DAVIT_ID, simulatedCore } from './simulated-core.ts';

export type Kinds = readonly AnyTaskKind<Core>[];

const LIMITS = { ...TASK_LIMITS, takeUpMs: 1, engineAwayMs: 5_000, readyMs: 2_000, readyEveryMs: 1 };
const DEPLOYS = { ...DEPLOY_LIMITS, workerSettleMs: 1, firstProbeMs: 1, takeUpMs: 1, engineAwayMs: 5_000 };

/**
 * A core with a task runner and a simulated engine, without HTTP and timers. Reconcilers run only on request. `crash`
 * discards the task runner at any point and starts another with the same database and engine.
 */
export class TaskHarness implements AsyncDisposable {
  readonly engine: MemoryEngine = createMemoryEngine({ davitId: DAVIT_ID, anyImage: true });
  /** Logged errors. */
  readonly errors: string[] = [];
  readonly core: Core;
  readonly ctx: OpContext;
  tasks: TaskRunner<Core>;
  readonly deploys: DeploymentRunner;
  clock = Date.parse('2026-01-01T00:00:00Z');
  /** Milliseconds by which the clock was set. The milliseconds do not count as passed time; see `setClock`. */
  clockSet = 0;
  readonly #sight;
  readonly #databases;
  readonly #stores;

  constructor(kinds: Kinds = TASK_KINDS) {
    const log = createLogger({ level: 'error', destination: { write: (line) => this.errors.push(line) } });
    this.core = simulatedCore({
      engine: this.engine,
      proxy: createMemoryProxy(),
      log,
      domain: 'davit.test',
      clock: () => this.clock,
      now: () => this.clock++,
      running: () => this.clock - this.clockSet,
      deploys: () => this.deploys,
      tasks: () => this.tasks,
      sight: () => this.#sight.latest(),
      diskGuard: () => null,
    });
    const account = { username: 'ada', role: 'admin', projects: null } as const;
    const userId = this.core.store.tx((tx) => insertUser(tx, { ...account, passwordHash: '', at: this.clock }));
    const actor = { ...account, via: 'api', userId } as const;
    this.ctx = { actor, requestId: 'test', log, signal: new AbortController().signal };
    this.deploys = new DeploymentRunner(this.core, { limits: DEPLOYS, steps: STEPS, log });
    this.#sight = watchContainers(this.core, (appId, options) => this.deploys.repair(appId, options), log);
    this.#databases = managedServicesTask('databases', DATABASE, this.core, log);
    this.#stores = managedServicesTask('stores', STORE, this.core, log);
    this.tasks = this.#newMachine(kinds);
  }

  /** Creates an environment with the project `shop` and an observed engine. */
  static async make(kinds?: Kinds): Promise<TaskHarness> {
    const harness = new TaskHarness(kinds);
    createProject(harness.core, harness.ctx, { slug: 'shop' });
    await harness.look();
    return harness;
  }

  /** Sets the clock of the server without passing time. */
  setClock(by: number): void {
    this.clock += by;
    this.clockSet += by;
  }

  row(id: number): TaskRow {
    const row = taskById(this.core.store, id);
    if (row === undefined) throw new Error(`there is no task ${id}`);
    return row;
  }

  /** Waits for the end of a task and returns its record. */
  async ended(id: number): Promise<TaskRow> {
    await this.tasks.ended(id, patience());
    await this.tasks.settled();
    return this.row(id);
  }

  async look(): Promise<void> {
    await this.#sight.task.run(new AbortController().signal);
  }

  /** Runs the reconcilers until the state no longer changes. The clock advances beyond all backoff delays. */
  async reconcile(): Promise<void> {
    for (let pass = 0; pass < 3; pass++) {
      this.clock += 3_600_000;
      await this.look();
      await this.#databases.run(new AbortController().signal);
      await this.#stores.run(new AbortController().signal);
    }
  }

  /** Simulates the end of the process at any point. Another process continues with the data on disk. */
  async crash(kinds: Kinds = TASK_KINDS): Promise<void> {
    await this.tasks[Symbol.asyncDispose]();
    this.tasks = this.#newMachine(kinds);
    this.tasks.recover();
  }

  /** Returns the objects at the engine that tasks may leave behind, in a comparable form. */
  async atEngine(): Promise<object> {
    return {
      containers: this.engine.controls
        .containers()
        .map(({ name, state, restartPolicy }) => ({ name: withoutGeneration(name), state, restartPolicy })),
      volumes: (await this.engine.volumes()).map(({ name, owner }) => ({ name, owner })),
      networks: (await this.engine.networks()).sort(),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.tasks[Symbol.asyncDispose]();
    await this.deploys[Symbol.asyncDispose]();
    await this.core.logs[Symbol.asyncDispose]();
    this.core.store[Symbol.dispose]();
  }

  #newMachine(kinds: Kinds): TaskRunner<Core> {
    return new TaskRunner(this.core, { kinds, releaseOrphans, limits: LIMITS, log: this.ctx.log });
  }
}

/**
 * Removes the generation from the name of a container of a database or store, because the generation differs between
 * runs.
 */
function withoutGeneration(name: string): string {
  return name.replace(/(-(?:db|s3)\d+)-\d+$/, '$1');
}
