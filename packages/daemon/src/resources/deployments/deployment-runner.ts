import { can, DavitError, type DeployPlan, isTerminal, type Trigger } from '@davit/api';
import { type Logger, unlessAborted } from '@davit/service';
import { FewOfEach } from '@davit/service/few-at-once';
import { KeyedQueue } from '@davit/service/keyed-queue';
import { EngineRefused } from '../../adapters/engine/errors.ts';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { RepairOptions } from '../../app-spec/repair-failed.ts';
import { releaseSpecOf } from '../../app-spec/revision.ts';
import { sentence } from '../../app-spec/sentence.ts';
import type { Tx } from '../../db/store.ts';
import { appById } from '../../db/tables/app.ts';
import { storedSpec } from '../../db/tables/app-spec.ts';
import { deploymentById, insertDeployment, openDeployments, openDeploymentsOfApp } from '../../db/tables/deployment.ts';
import { moveDeployment } from '../../db/tables/deployment-life.ts';
import { dropWaitingPushes } from '../../db/tables/push.ts';
import { isAlive, liveOf } from '../../db/tables/release.ts';
import { demandDisk, demandPids, withinQuota } from '../../quotas/quota.ts';
import { Interrupted } from '../../workflow/interrupted.ts';
import { waitUntil } from '../../workflow/wait-until.ts';
import { AppQueues } from './app-queues.ts';
import { callOff } from './call-off.ts';
import {
  bringsImage,
  decideRelease,
  demandEngine,
  demandImage,
  followsLive,
  LookedUp,
  type Release,
} from './decide.ts';
import type { DeployRequest, Deploys, WantedDeployment } from './deploys.ts';
import type { DeploymentsDeps } from './deps.ts';
import { applyAppLimits, reserveLimits } from './limits.ts';
import { type ImageRecord, usesLocalImage } from './local-image.ts';
import { planOf } from './plan-of.ts';
import { changed, preview, txUnlessChanged } from './preview.ts';
import { removeDeletedApps, syncRoutesAndNames } from './removal.ts';
import { repairRelease } from './repair.ts';
import { makeWork, type RunParts } from './run.ts';
import { isDown, recordStop } from './stop.ts';
import { Cancelled } from './work.ts';

/**
 * Maximum time in milliseconds to wait for the end of a deleted app's deployments. After this time, a background job
 * removes the app.
 */
const QUIESCE_MS = 60_000;

/**
 * Maximum number of attempts for a deployment request. An attempt fails if the image of the app changes while Davit
 * sends requests to the registry and Docker.
 */
const DECISIONS = 5;

/**
 * Maximum number of images that Docker pulls at the same time for one project. An image has up to 127 layers, and
 * Docker opens a connection for each layer.
 */
const PULLS_AT_ONCE = 2;

/**
 * Accepts deployment requests and runs the deployments in queues. After a restart of the daemon, unfinished deployments
 * continue.
 */
export class DeploymentRunner implements Deploys {
  readonly #base: DeploymentsDeps;
  readonly #log: Logger;
  readonly #queues: AppQueues;
  readonly #parts: RunParts;

  constructor(base: DeploymentsDeps, parts: Omit<RunParts, 'limiting' | 'pulling'>) {
    this.#base = base;
    this.#parts = { ...parts, limiting: new KeyedQueue(), pulling: new FewOfEach(PULLS_AT_ONCE) };
    this.#log = parts.log;
    this.#queues = new AppQueues(base, this.#parts);
  }

  async request(app: AppTarget, ask: DeployRequest): Promise<number> {
    const [id] = await this.requestWith(() => [{ app, ask }]);
    // The type cast is safe, because `requestWith` returns one id for each requested deployment.
    return id as number;
  }

  async requestWith(change: (tx: Tx) => readonly WantedDeployment[]): Promise<number[]> {
    for (let attempt = 1; ; attempt += 1) {
      const recorded = await this.#tryRequest(change);
      if (recorded !== null) return recorded;
      if (attempt === DECISIONS)
        throw new DavitError('conflict', 'The app changed during the request. Send the request again.');
    }
  }

  /**
   * Selects the releases for a deployment request, checks that their images exist, and saves the deployments.
   * @returns deployment ids, or `null` if an app's image changed during the check
   */
  async #tryRequest(change: (tx: Tx) => readonly WantedDeployment[]): Promise<number[] | null> {
    const { store } = this.#base;
    const decided = (tx: Tx) =>
      change(tx).map(({ app, ask }) => ({ app, ask, release: decideRelease(this.#base, app, ask) }));
    const expected = preview(store, decided);
    const kinds = expected.map(({ ask }) => ask.trigger.kind);
    if (kinds.length > 0) await demandEngine(this.#base, kinds);
    const images = new LookedUp();
    for (const { app, ask, release } of expected) {
      images.set(release, await demandImage(this.#base, app, release, ask));
    }

    // Select the releases again, because the database may have changed during the requests to the registry and Docker.
    const recorded = txUnlessChanged(store, (tx) =>
      decided(tx).map(({ app, ask, release }) => {
        const exact = images.at(release) ?? changed();
        return { appId: app.id, id: this.#reserve(tx, app, exact, ask.trigger) };
      }),
    );
    if (recorded === null) return null;
    for (const { appId, id } of recorded) this.#queues.add(appId, id);
    return recorded.map(({ id }) => id);
  }

  async plan(app: AppTarget, ask: DeployRequest): Promise<DeployPlan> {
    const [plan] = await this.planWith(() => [{ app, ask }]);
    // The type cast is safe, because `planWith` returns one plan for each requested deployment.
    return plan as DeployPlan;
  }

  async planWith(change: (tx: Tx) => readonly WantedDeployment[]): Promise<DeployPlan[]> {
    const { store } = this.#base;
    const decided = (tx: Tx) =>
      change(tx).map(({ app, ask }) => {
        const release = decideRelease(this.#base, app, ask);
        return { app, ask, release, spec: releaseSpecOf(this.#base, app.id, release.revision) };
      });
    const expected = preview(store, decided);
    const kinds = expected.map(({ ask }) => ask.trigger.kind);
    if (kinds.length > 0) await demandEngine(this.#base, kinds);
    const present = new Set<string>();
    for (const { app, ask, release, spec } of expected) {
      const digest = await demandImage(this.#base, app, release, ask);
      const row = () => imageRecordOf({ ...release, digest }, ask.trigger);
      if (await usesLocalImage({ base: this.#base, app, row }, spec, release.tag))
        present.add(presentKey(app, release));
    }
    // Make the change of the app settings again, because the first SQLite transaction was rolled back.
    return preview(store, (tx) =>
      decided(tx).map(({ app, ask, release }) => {
        const plan = planOf(this.#base, app, release, present.has(presentKey(app, release)));
        this.#reserve(tx, app, release, ask.trigger);
        return plan;
      }),
    );
  }

  /**
   * Creates missing containers, images and networks of a live release. If the app has a waiting or running deployment,
   * the function does nothing.
   * @throws RepairFailed, EngineUnavailable, SealBroken
   */
  async repair(appId: number, options: RepairOptions): Promise<void> {
    const live = liveOf(this.#base.store, appId);
    if (!live) return;
    const repair = (signal: AbortSignal) =>
      repairRelease(makeWork(this.#base, live.id, this.#parts), options, signal).catch((error: unknown) => {
        // Ignore the error of an aborted repair. For example, a new deployment of the app aborts the repair.
        if (!(error instanceof Cancelled || error instanceof Interrupted)) throw error;
      });
    await this.#queues.repair(appId, repair);
  }

  async limit({ id }: { id: number }): Promise<void> {
    try {
      await applyAppLimits({ base: this.#base, limiting: this.#parts.limiting }, id);
    } catch (error) {
      if (error instanceof EngineRefused) throw new DavitError('conflict', sentence(error.message), { cause: error });
      throw error;
    }
  }

  /**
   * Sets an app's current limits on containers that still have earlier limits, for example because Docker was
   * unavailable.
   * @throws DavitError quota_exceeded, conflict; EngineUnavailable
   */
  async catchUpLimits(appId: number): Promise<void> {
    if (!this.#base.engine.capabilities.liveLimits) return;
    try {
      this.#base.store.tx((tx) => reserveLimits(tx, appId));
    } finally {
      /*
       * Apply the limits even if the project's quota is exceeded. Some limits may become lower, and lower limits need
       * no additional quota.
       */
      await this.limit({ id: appId });
    }
  }

  cancel(deploymentId: number): Promise<void> {
    return this.#cancel(deploymentId, this.#queues.closing);
  }

  async #cancel(deploymentId: number, signal: AbortSignal): Promise<void> {
    const { store, now } = this.#base;
    const row = store.tx((tx) => {
      const found = deploymentById(tx, deploymentId);
      if (!found) throw new DavitError('not_found');
      callOff(tx, found, 'The deployment was canceled before it started.', now());
      return found;
    });
    if (row.status === 'pending') return;
    this.#queues.abort(deploymentId, new Cancelled('cancelled'));
    await this.ended(deploymentId, signal);
  }

  async stop(appId: number): Promise<void> {
    this.#queues.abortRepair(appId);
    for (const { id } of recordStop(this.#base, appId)) this.#queues.abort(id, new Cancelled('cancelled'));
    await syncRoutesAndNames(this.#base).catch((error) => {
      /*
       * Only log the error. The database already contains that the app is stopped, and a background job updates HAProxy
       * later.
       */
      this.#log.warn(
        { app: appId, error },
        'a stopped app could not be removed from the proxy; the reconciler tries again',
      );
      this.#base.nudgeRoutes();
    });
    this.#base.nudgeRetirement();
  }

  stopped(appId: number, signal: AbortSignal): Promise<void> {
    const { store } = this.#base;
    const until = AbortSignal.any([signal, this.#queues.closing]);
    return waitUntil(
      store,
      (event) => event.appId === appId,
      () => isDown(store, appId),
      until,
    );
  }

  ended(deploymentId: number, signal: AbortSignal): Promise<void> {
    const { store } = this.#base;
    const until = AbortSignal.any([signal, this.#queues.closing]);
    const over = () => {
      const row = deploymentById(store, deploymentId);
      return !row || isTerminal(row.status);
    };
    return waitUntil(store, (event) => event.deploymentId === deploymentId, over, until);
  }

  /**
   * Adds all unfinished deployments to the queues again, oldest first. Davit calls this function after a restart of the
   * daemon.
   */
  recover(): void {
    for (const row of openDeployments(this.#base.store)) {
      this.#log.info(
        { deployment: row.id, status: row.status, phase: row.phase },
        'after a restart, the daemon continues an unfinished deployment',
      );
      this.#queues.add(row.app_id, row.id);
    }
  }

  removeDeleted(projectId?: number): Promise<void> {
    return removeDeletedApps(this.#base, (appId) => this.#quiesce(appId), projectId);
  }

  /**
   * Cancels the deployments of a deleted app and waits until the deployments have ended.
   * @throws TimeoutError if the deployments do not end in time; Interrupted
   */
  async #quiesce(appId: number): Promise<void> {
    const signal = AbortSignal.any([this.#queues.closing, AbortSignal.timeout(QUIESCE_MS)]);
    this.#queues.abortRepair(appId);
    for (const row of openDeploymentsOfApp(this.#base.store, appId)) {
      /*
       * If a deployment is switching traffic, Davit cannot cancel it. Such a deployment ends within seconds, so Davit
       * waits for its end.
       */
      if (can.cancel(row))
        await this.#cancel(row.id, signal).catch((error) =>
          this.#log.info({ error }, 'a deployment of a deleted app ended before it could be canceled'),
        );
    }
    await unlessAborted(this.#queues.emptied(appId), signal);
  }

  /** Resolves when no deployment or repair is in progress. */
  settled(): Promise<void> {
    return this.#queues.settled();
  }

  /**
   * Interrupts all running deployments. The next start of the daemon continues the deployments. If other code waits for
   * a deployment, it gets the error `Interrupted`.
   */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#queues[Symbol.asyncDispose]();
  }

  /**
   * Saves a new deployment if the project's quota allows the replicas of the deployment.
   * @throws DavitError quota_exceeded
   */
  #reserve(tx: Tx, { id, project }: AppTarget, release: Release, trigger: Trigger): number {
    const row = appById(tx, id);
    if (row === undefined) throw new DavitError('not_found');
    if (bringsImage(trigger.kind)) demandDisk(tx, project.id);
    const deployment = withinQuota(tx, project.id, () => this.#record(tx, id, release, trigger));
    demandPids(tx, project.id, storedSpec(row.spec));
    return deployment;
  }

  /** Saves a new deployment. Cancels the pending deployments and the retries of pushes that the deployment replaces. */
  #record(tx: Tx, appId: number, release: Release, trigger: Trigger): number {
    const { now } = this.#base;
    if (!isAlive(tx, appId)) throw new DavitError('not_found');
    /*
     * Do not cancel pending deployments of a new release because of a restart or scale change. The user still wants to
     * deploy the new release.
     */
    const replaced = openDeploymentsOfApp(tx, appId).filter(
      (row) => row.status === 'pending' && (!followsLive(trigger.kind) || followsLive(row.trigger_kind)),
    );
    const at = now();
    const newest = insertDeployment(tx, { appId, ...release, trigger, at });
    if (!followsLive(trigger.kind)) dropWaitingPushes(tx, appId, { reason: whyDropped(newest), image: release, at });
    for (const row of replaced) {
      const error = `A newer deployment (${newest}) was requested before this deployment started.`;
      moveDeployment(tx, row, 'cancelled', { at, error, supersededBy: newest });
    }
    return newest;
  }
}

/** Returns the reason why Davit no longer retries the deployment of a pushed image. */
function whyDropped(deployment: number): string {
  return `A newer deployment (${deployment}) was requested before Davit could deploy this image. To use the image, deploy its tag.`;
}

/** Returns the columns of the table `deployments` that describe the image, for example `image` and `digest`. */
function imageRecordOf({ image, imageId, digest, rollbackOf }: Release, { kind }: Trigger): ImageRecord {
  return { image, image_id: imageId, digest, trigger_kind: kind, rollback_of: rollbackOf };
}

/**
 * Returns a map key for the image of an app. The key contains the app, because different apps may have different
 * permissions for the same image.
 */
function presentKey({ id }: AppTarget, { image }: Release): string {
  return `${id} ${image}`;
}
