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

/**
 * Time in milliseconds after which the repair of an app is tried again, and interval of the passes that look for such
 * apps.
 */
export const REPAIR_AGAIN_MS = 5_000;
/**
 * Minimum time in milliseconds between two replacements of the same app's container, for a new container that does not
 * start either.
 */
const REPLACE_AGAIN_MS = 60_000;
/** Maximum pause in milliseconds between two pulls of a missing image. */
const PULL_AGAIN_MS = 60_000;
/** Maximum number of concurrent repairs, for an engine that lost all containers. */
const REPAIRS_AT_ONCE = 4;

/**
 * Repairs the replicas of an app.
 * @throws RepairFailed, EngineUnavailable, SealBroken
 */
export type Repair = (appId: number, options: RepairOptions) => Promise<void>;

interface Trouble {
  reason: string;
  triedAt: number;
}

/** Starts or repairs replicas that should serve but are down. */
export class Restarts {
  readonly #base: ReconcilersDeps;
  readonly #repair: Repair;
  readonly #log: Pick<Logger, 'warn'>;
  /** Reasons why the replicas of an app do not run, by app. */
  readonly #troubles = new Map<number, Trouble>();
  /** Time of the last repair that replaced a container but did not succeed, by app. */
  readonly #replacedAt = new Map<number, number>();
  readonly #pulls: Backoff;
  /** Apps that wait for their repair, in order. */
  readonly #queue = new Set<number>();
  readonly #workers = new Set<Promise<void>>();
  readonly #busy = new Set<number>();

  constructor(base: ReconcilersDeps, repair: Repair, log: Pick<Logger, 'warn'>) {
    this.#base = base;
    this.#repair = repair;
    this.#log = log;
    this.#pulls = new Backoff(base.now, PULL_AGAIN_MS);
  }

  /** Returns why replicas of an app do not run, as text for users, or `null` if no problem is known. */
  reasonOf(appId: number): string | null {
    return this.#troubles.get(appId)?.reason ?? null;
  }

  /** Returns whether an app waits for another repair. */
  get areTroubles(): boolean {
    return this.#troubles.size > 0;
  }

  /** Resolves when no repair runs. */
  async settled(): Promise<void> {
    while (this.#workers.size > 0) await Promise.all(this.#workers);
  }

  /**
   * Starts active replicas that are down. Repairs replicas in the background if the engine refuses to start them, or if
   * they have no container. A pull for one app must not delay the others.
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

  /**
   * Starts the container of a replica.
   * @returns `false` if the engine refuses
   */
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
      this.#log.warn({ instance: row.name, error }, 'the engine refused to start a replica; the app is repaired');
      return false;
    }
  }

  /** Deletes the reasons of apps that run again or should no longer run. */
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
      // The next pass checks whether the engine is available again, and whether the app still needs a repair.
      if (error instanceof EngineUnavailable) return;
      if (error instanceof RepairFailed && error.imageIsMissing && this.#pulls.isDue(appId)) this.#pulls.failed(appId);
      this.#log.warn({ app: appId, error }, 'an app could not be repaired; the next pass tries again');
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

/** Returns whether the container has to be started. Starting a paused container resumes it. */
function isDown({ state }: ObservedInstance): boolean {
  return state === 'exited' || state === 'created' || state === 'dead' || state === 'paused';
}

/**
 * Returns whether a deployment in progress has stopped this replica, because the two releases cannot run at the same
 * time. The deployment may start the replica again.
 */
function isStoppedForNext(store: ReconcilersDeps['store'], { app_id }: InstanceRow): boolean {
  const isStopping = ({ id }: { id: number }) => stepsOfDeployment(store, id).some(({ name }) => name === 'stop-old');
  return openDeploymentsOfApp(store, app_id).some((row) => row.status === 'running' && isStopping(row));
}
