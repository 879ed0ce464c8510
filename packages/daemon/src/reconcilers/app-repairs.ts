import type { Logger } from '@davit/service';
import { EngineRefused, EngineUnavailable } from '../adapters/engine/errors.ts';
import type { ObservedInstance } from '../adapters/engine/instance.ts';
import { RepairFailed, type RepairOptions } from '../app-spec/repair-failed.ts';
import { SealBroken } from '../db/seal.ts';
import { openDeploymentsOfApp } from '../db/tables/deployment.ts';
import { stepsOfDeployment } from '../db/tables/deployment-step.ts';
import { type InstanceRow, setKept } from '../db/tables/instance.ts';
import { isWanted } from '../db/tables/release.ts';
import { Backoff } from '../time/backoff.ts';
import type { ReconcilersDeps } from './deps.ts';

/**
 * Time in milliseconds between two attempts to repair an app. The reconciler runs at this interval while an app needs a
 * repair.
 */
export const REPAIR_AGAIN_MS = 5_000;
/**
 * Minimum time in milliseconds between two replacements of an app's containers. The delay is needed because a new
 * container may fail for the same reason.
 */
const REPLACE_AGAIN_MS = 60_000;
/** Maximum delay in milliseconds between two attempts to pull a missing image. */
const PULL_AGAIN_MS = 60_000;
/**
 * Maximum number of apps that are repaired at the same time. The limit is important if Docker has lost all containers.
 */
const REPAIRS_AT_ONCE = 4;

/**
 * Repairs the live release of an app, for example by creating missing containers again.
 * @throws RepairFailed, EngineUnavailable, SealBroken
 */
export type Repair = (appId: number, options: RepairOptions) => Promise<void>;

interface Trouble {
  reason: string;
  triedAt: number;
}

/** Starts or repairs containers of apps that should run but do not run. */
export class AppRepairs {
  readonly #base: ReconcilersDeps;
  readonly #repair: Repair;
  readonly #log: Pick<Logger, 'warn'>;
  /** Map from app id to the reason why the app's containers do not run, as text for users. */
  readonly #troubles = new Map<number, Trouble>();
  /**
   * Map from app id to the time at which Davit last replaced the app's containers. The time is deleted after a
   * successful repair of the app.
   */
  readonly #replacedAt = new Map<number, number>();
  readonly #pulls: Backoff;
  readonly #queue = new Set<number>();
  readonly #workers = new Set<Promise<void>>();
  readonly #busy = new Set<number>();

  constructor(base: ReconcilersDeps, repair: Repair, log: Pick<Logger, 'warn'>) {
    this.#base = base;
    this.#repair = repair;
    this.#log = log;
    this.#pulls = new Backoff(base.now, PULL_AGAIN_MS);
  }

  /**
   * Returns the reason why Davit could not start an app's containers, as text for users. Returns `null` if there is no
   * problem.
   */
  reasonOf(appId: number): string | null {
    return this.#troubles.get(appId)?.reason ?? null;
  }

  /** Returns whether there is at least one app whose last repair failed. */
  get areTroubles(): boolean {
    return this.#troubles.size > 0;
  }

  async settled(): Promise<void> {
    while (this.#workers.size > 0) await Promise.all(this.#workers);
  }

  /**
   * Starts the stopped containers of active replicas. Repairs run in the background, so that the slow pull of an image
   * does not delay other apps.
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
   * @returns `false` if the app needs a repair, because Docker refused the start or an earlier repair failed
   */
  async #start(row: InstanceRow, seen: ObservedInstance, signal: AbortSignal): Promise<boolean> {
    const { engine, store } = this.#base;
    const mustStart = isDown(seen) && !isStoppedForNext(store, row);
    /*
     * After a failed repair, only the next repair may start the container. Otherwise, each Docker event would start the
     * container.
     */
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
      this.#log.warn({ instance: row.name, error }, 'Docker refused to start a replica; Davit repairs the app');
      return false;
    }
  }

  /** Deletes the stored problems of apps whose containers run again or no longer have to run. */
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
      // Docker is unavailable, so the app cannot be repaired now. The next run of the reconciler checks the app again.
      if (error instanceof EngineUnavailable) return;
      if (error instanceof RepairFailed && error.imageIsMissing && this.#pulls.isDue(appId)) this.#pulls.failed(appId);
      this.#log.warn({ app: appId, error }, 'an app could not be repaired; Davit tries again');
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
    return 'The variables of the live release cannot be decrypted, because they were changed outside Davit. Set the variables of the app again, then deploy the app.';
  }
  return 'The containers of the app cannot be started again because of an internal error. Find the details in the log of the instance.';
}

/**
 * Returns whether a container must be started. Also returns `true` for a paused container, because a start resumes it.
 */
function isDown({ state }: ObservedInstance): boolean {
  return state === 'exited' || state === 'created' || state === 'dead' || state === 'paused';
}

/**
 * Returns whether a deployment has stopped the container on purpose. The reconciler must not start such a container. If
 * the deployment fails, the deployment starts the container again.
 */
function isStoppedForNext(store: ReconcilersDeps['store'], { app_id }: InstanceRow): boolean {
  const isStopping = ({ id }: { id: number }) => stepsOfDeployment(store, id).some(({ name }) => name === 'stop-old');
  return openDeploymentsOfApp(store, app_id).some((row) => row.status === 'running' && isStopping(row));
}
