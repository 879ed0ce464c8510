import { can, DavitError, type DeployPlan, isTerminal, type Trigger } from '@davit/api';
import type { Logger } from '@davit/service';
import type { AppTarget } from '../release/app-target.ts';
import type { Base } from '../release/base.ts';
import { deploymentById, insertDeployment, openDeployments, openDeploymentsOfApp } from '../store/deployment.ts';
import { moveDeployment } from '../store/deployment-life.ts';
import { isAlive, isWanted, liveOf } from '../store/release.ts';
import type { Tx } from '../store/store.ts';
import { callOff } from './call-off.ts';
import { atDigest, decide, demandEngine, demandImage, followsLive, type Release, sameAgain } from './decide.ts';
import type { DeployAsk, Deploys, Wanted } from './deploys.ts';
import { limitRunning } from './limits.ts';
import { planOf } from './plan-of.ts';
import { preview } from './preview.ts';
import { Queues } from './queues.ts';
import { removeDeletedApps, withdraw } from './removal.ts';
import type { RunParts } from './run.ts';
import { isDown, recordStop } from './stop.ts';
import { waitUntil } from './waiting.ts';
import { Cancelled } from './work.ts';

/** The deploy machine: takes requests, has them carried out, and takes up at a start what the last process left. */
export class DeployMachine implements Deploys {
  readonly #base: Base;
  readonly #log: Logger;
  readonly #queues: Queues;

  constructor(base: Base, parts: RunParts) {
    this.#base = base;
    this.#log = parts.log;
    this.#queues = new Queues(base, parts);
  }

  async request(app: AppTarget, ask: DeployAsk): Promise<number> {
    const [id] = await this.requestWith(() => [{ app, ask }]);
    // One was wanted, and one is on record.
    return id as number;
  }

  async requestWith(change: (tx: Tx) => readonly Wanted[]): Promise<number[]> {
    const { store } = this.#base;
    const decided = (tx: Tx) => change(tx).map(({ app, ask }) => ({ app, ask, release: decide(this.#base, app, ask) }));
    const expected = preview(store, decided);
    const kinds = expected.map(({ ask }) => ask.trigger.kind);
    if (kinds.length > 0) await demandEngine(this.#base, kinds);
    const digests = new Map<string, string | null>();
    for (const { app, release } of expected) {
      digests.set(release.image, await demandImage(this.#base, app, release));
    }

    // Decided again: what was on record before the engine was asked may have changed meanwhile.
    const recorded = store.tx((tx) =>
      decided(tx).map(({ app, ask, release }) => ({
        appId: app.id,
        id: this.#record(tx, app.id, atDigest(release, digests), ask.trigger),
      })),
    );
    for (const { appId, id } of recorded) this.#queues.add(appId, id);
    return recorded.map(({ id }) => id);
  }

  async plan(app: AppTarget, ask: DeployAsk): Promise<DeployPlan> {
    const [plan] = await this.planWith(() => [{ app, ask }]);
    // One was wanted, and one is planned.
    return plan as DeployPlan;
  }

  async planWith(change: (tx: Tx) => readonly Wanted[]): Promise<DeployPlan[]> {
    const { store, engine } = this.#base;
    const decided = (tx: Tx) => change(tx).map(({ app, ask }) => ({ app, ask, release: decide(this.#base, app, ask) }));
    const expected = preview(store, decided);
    const kinds = expected.map(({ ask }) => ask.trigger.kind);
    if (kinds.length > 0) await demandEngine(this.#base, kinds);
    const present = new Set<string>();
    for (const { app, release } of expected) {
      await demandImage(this.#base, app, release);
      if ((await engine.findImage(release.imageId ?? release.image)) !== null) present.add(release.image);
    }
    // Changed again, since what is planned is there only while the change is.
    return preview(store, (tx) =>
      decided(tx).map(({ app, release }) => planOf(this.#base, app, release, present.has(release.image))),
    );
  }

  /** Deploys again what is live, exactly as it is: for containers that somebody removed. */
  async replace(appId: number): Promise<void> {
    const { store } = this.#base;
    const trigger = { kind: 'restart', by: 'davit', via: 'schedule' } as const;
    const id = store.tx((tx) => {
      const live = liveOf(tx, appId);
      if (!live || !isWanted(tx, appId, live.id)) return null;
      return this.#record(tx, appId, sameAgain(live), trigger);
    });
    if (id !== null) this.#queues.add(appId, id);
  }

  limit(app: AppTarget): Promise<void> {
    return limitRunning(this.#base, app);
  }

  async cancel(deploymentId: number): Promise<void> {
    const { store, now } = this.#base;
    const row = store.tx((tx) => {
      const found = deploymentById(tx, deploymentId);
      if (!found) throw new DavitError('not_found');
      callOff(tx, found, 'Cancelled before it began.', now());
      return found;
    });
    if (row.status === 'pending') return;
    this.#queues.abort(deploymentId, new Cancelled('cancelled'));
    await this.ended(deploymentId, this.#queues.closing);
  }

  async stop(appId: number): Promise<void> {
    for (const { id } of recordStop(this.#base, appId)) this.#queues.abort(id, new Cancelled('cancelled'));
    await withdraw(this.#base).catch((error) => {
      // It is on record, and a reconciler makes the proxy follow as soon as it can.
      this.#log.warn({ app: appId, error }, 'the traffic of a stopped app ends when the proxy is back');
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

  /** Takes up what the last process left unfinished, in the order it was asked for. */
  recover(): void {
    for (const row of openDeployments(this.#base.store)) {
      this.#log.info(
        { deployment: row.id, status: row.status, phase: row.phase },
        'taking up an unfinished deployment',
      );
      this.#queues.add(row.app_id, row.id);
    }
  }

  async removeDeleted(): Promise<void> {
    await removeDeletedApps(this.#base, async (appId) => {
      for (const row of openDeploymentsOfApp(this.#base.store, appId)) {
        // One whose traffic is moving ends by itself within seconds; it is waited for like the others.
        if (can.cancel(row))
          await this.cancel(row.id).catch((error) => this.#log.info({ error }, 'a deployment ended by itself'));
      }
      await this.#queues.emptied(appId);
    });
  }

  /** Resolves when no deployment is under way. */
  settled(): Promise<void> {
    return this.#queues.settled();
  }

  /** Lets go of everything that runs, as a crash would: it is taken up at the next start. Waits end with `Interrupted`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#queues[Symbol.asyncDispose]();
  }

  /**
   * Puts a deployment on record, in place of what waits. What only runs again what is live takes no other's place: the
   * release that waits there was asked for, and nobody has taken that back.
   */
  #record(tx: Tx, appId: number, release: Release, trigger: Trigger): number {
    const { now } = this.#base;
    if (!isAlive(tx, appId)) throw new DavitError('not_found');
    const replaced = openDeploymentsOfApp(tx, appId).filter(
      (row) => row.status === 'pending' && (!followsLive(trigger.kind) || followsLive(row.trigger_kind)),
    );
    const newest = insertDeployment(tx, { appId, ...release, trigger, at: now() });
    for (const row of replaced) {
      const error = `Deployment ${newest} was asked for before this one began.`;
      moveDeployment(tx, row, 'cancelled', { at: now(), error, supersededBy: newest });
    }
    return newest;
  }
}
