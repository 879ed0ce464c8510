import type { Logger } from '@davit/service';
import { EngineRefused, EngineUnavailable } from '../adapters/engine/errors.ts';
import type { ObservedInstance } from '../adapters/engine/instance.ts';
import { RepairFailed, type RepairOptions } from '../app-spec/repair.ts';
import { SealBroken } from '../db/seal.ts';
import { openDeploymentsOfApp } from '../db/tables/deployment.ts';
import { stepsOfDeployment } from '../db/tables/deployment-step.ts';
import { type InstanceRow, setKept } from '../db/tables/instance.ts';
import { isWanted } from '../db/tables/release.ts';
import { Backoff } from '../time/backoff.ts';
import type { ReconcilersDeps } from './deps.ts';

/** Time after which the repair of an app is tried again, and interval of the passes that look for such apps. */
export const REPAIR_AGAIN_MS = 5_000;
/** If the new container of an app cannot be started either, it is replaced again after this time at the earliest. */
const REPLACE_AGAIN_MS = 60_000;
/** The longest pause between two pulls of an image that is missing. */
const PULL_AGAIN_MS = 60_000;
/** Maximum number of concurrent repairs, for an engine that lost all containers. */
const REPAIRS_AT_ONCE = 4;

/** @throws RepairFailed, EngineUnavailable, SealBroken */
export type Repair = (appId: number, options: RepairOptions) => Promise<void>;

interface Trouble {
  reason: string;
  triedAt: number;
}

/** Brings back what should serve and does not. */
export class Restarts {
  readonly #base: ReconcilersDeps;
  readonly #repair: Repair;
  readonly #log: Pick<Logger, 'warn'>;
  /** By app: why its replicas do not run. */
  readonly #troubles = new Map<number, Trouble>();
  /** By app: when a repair last replaced a container, and did not end well. */
  readonly #replacedAt = new Map<number, number>();
  readonly #pulls: Backoff;
  /** The apps that wait for their repair, in order. */
  readonly #queue = new Set<number>();
  readonly #workers = new Set<Promise<void>>();
  readonly #busy = new Set<number>();

  constructor(base: ReconcilersDeps, repair: Repair, log: Pick<Logger, 'warn'>) {
    this.#base = base;
    this.#repair = repair;
    this.#log = log;
    this.#pulls = new Backoff(base.now, PULL_AGAIN_MS);
  }

  /** Returns why replicas of an app do not run, for users; `null` if nothing is known to be wrong. */
  reasonOf(appId: number): string | null {
    return this.#troubles.get(appId)?.reason ?? null;
  }

  /** Returns whether an app waits to be tried again. */
  get areTroubles(): boolean {
    return this.#troubles.size > 0;
  }

  /** Resolves when no repair runs. */
  async settled(): Promise<void> {
    while (this.#workers.size > 0) await Promise.all(this.#workers);
  }

  /**
   * Starts active replicas that are down. Those that the engine refuses to start, and those whose container is gone, are
   * repaired in the background: a pull for one app must not delay the others.
   */
  async restore(
    rows: readonly InstanceRow[],
    observed: readonly ObservedInstance[],
    signal: AbortSignal,
  ): Promise<void> {
    const present = new Map(observed.map((seen) => [seen.id, seen]));
    const lost = new Set<number>();
    for (const row of rows) {
      if (row.role !== 'active' || row.container_id === null) continue;
      const seen = present.get(row.container_id);
      if (seen !== undefined && row.kept === 1 && !isDown(seen) && seen.connected) continue;
      if (!isWanted(this.#base.store, row.app_id, row.deployment_id)) continue;
      if (!seen?.connected || !(await this.#start(row, seen, signal))) lost.add(row.app_id);
    }
    this.#forget(lost);
    for (const appId of lost) this.#enqueue(appId);
  }

  /** @returns false if the engine refuses */
  async #start(row: InstanceRow, seen: ObservedInstance, signal: AbortSignal): Promise<boolean> {
    const { engine, store } = this.#base;
    const mustStart = isDown(seen) && !isStoppedForNext(store, row);
    // The repair handles refused starts. Otherwise the engine's events for each refusal would start the next attempt at
    // once.
    if (mustStart && this.#troubles.has(row.app_id)) return false;
    try {
      if (row.kept === 0) {
        await engine.keepRunning(seen.id);
        store.tx((tx) => setKept(tx, row.id));
      }
      if (mustStart) await engine.start(seen.id, signal);
      return true;
    } catch (error) {
      if (!(error instanceof EngineRefused)) throw error;
      this.#log.warn({ instance: row.name, error }, 'the engine refuses to start an instance: it is repaired');
      return false;
    }
  }

  /** Forgets the reasons of apps that run again, or are not wanted any more. */
  #forget(lost: ReadonlySet<number>): void {
    for (const appId of this.#troubles.keys()) {
      if (lost.has(appId) || this.#busy.has(appId)) continue;
      this.#pulls.succeeded(appId);
      this.#settle(appId, null);
    }
  }

  #enqueue(appId: number): void {
    const { now } = this.#base;
    const trouble = this.#troubles.get(appId);
    if (this.#busy.has(appId) || (trouble !== undefined && now() < trouble.triedAt + REPAIR_AGAIN_MS)) return;
    this.#queue.add(appId);
    if (this.#workers.size >= REPAIRS_AT_ONCE) return;
    const worker: Promise<void> = this.#work().finally(() => this.#workers.delete(worker));
    this.#workers.add(worker);
  }

  async #work(): Promise<void> {
    for (const appId of this.#queue) {
      this.#queue.delete(appId);
      this.#busy.add(appId);
      try {
        await this.#attempt(appId);
      } finally {
        this.#busy.delete(appId);
      }
    }
  }

  async #attempt(appId: number): Promise<void> {
    const { now } = this.#base;
    const mayReplace = now() >= (this.#replacedAt.get(appId) ?? Number.NEGATIVE_INFINITY) + REPLACE_AGAIN_MS;
    const onReplace = () => this.#replacedAt.set(appId, now());
    try {
      await this.#repair(appId, { mayPull: this.#pulls.isDue(appId), mayReplace, onReplace });
      this.#replacedAt.delete(appId);
      this.#settle(appId, null);
    } catch (error) {
      // The next pass sees whether the engine is back, or whether the app still needs a repair.
      if (error instanceof EngineUnavailable) return;
      if (error instanceof RepairFailed && error.imageIsMissing && this.#pulls.isDue(appId)) this.#pulls.failed(appId);
      this.#log.warn({ app: appId, error }, 'an app could not be repaired: it is tried again');
      this.#settle(appId, reasonIn(error));
    }
  }

  #settle(appId: number, reason: string | null): void {
    const { store, now } = this.#base;
    const before = this.reasonOf(appId);
    if (reason === null) this.#troubles.delete(appId);
    else this.#troubles.set(appId, { reason, triedAt: now() });
    if (reason !== before) store.tx((tx) => tx.event({ kind: 'app', appId, data: { change: 'status' } }));
  }
}

function reasonIn(error: unknown): string {
  if (error instanceof RepairFailed) return error.message;
  if (error instanceof SealBroken) {
    return 'The variables of the live release cannot be decrypted, because they were changed outside Davit. Set one of them again, then deploy.';
  }
  return 'The app cannot be repaired because of an error inside Davit. The log of the instance has the details.';
}

/** Whether the container has to be started. Starting a paused container unpauses it. */
function isDown({ state }: ObservedInstance): boolean {
  return state === 'exited' || state === 'created' || state === 'dead' || state === 'paused';
}

/**
 * If two releases cannot run at the same time, a deployment in progress has stopped this one on purpose, and may start
 * it again.
 */
function isStoppedForNext(store: ReconcilersDeps['store'], { app_id }: InstanceRow): boolean {
  const isStopping = ({ id }: { id: number }) => stepsOfDeployment(store, id).some(({ name }) => name === 'stop-old');
  return openDeploymentsOfApp(store, app_id).some((row) => row.status === 'running' && isStopping(row));
}
