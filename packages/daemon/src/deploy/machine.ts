import { setTimeout as sleep } from 'node:timers/promises';
import { can, DavitError, type DeployPlan, isTerminal, type Trigger } from '@davit/api';
import type { Logger } from '@davit/service';
import { EngineRefused } from '../engine/engine.ts';
import type { AppTarget } from '../release/app-target.ts';
import type { Base } from '../release/base.ts';
import { readRevision, releaseOf } from '../release/revisions.ts';
import {
  askCancel,
  type DeploymentRow,
  deploymentById,
  insertDeployment,
  moveDeployment,
  openDeployments,
  openDeploymentsOfApp,
} from '../store/deployments.ts';
import { instancesOfApp, instancesOfDeployment } from '../store/instances.ts';
import { isAlive, liveOf } from '../store/releases.ts';
import { isExclusive } from '../store/volumes.ts';
import { decide, mustExist, type Release } from './decide.ts';
import type { DeployAsk, Deploys } from './deploys.ts';
import { engineLimits } from './environment.ts';
import { changes, type PlanInput, plan } from './plan.ts';
import { removeDeletedApps } from './removal.ts';
import { type RunParts, runDeployment } from './run.ts';
import { Cancelled, Interrupted } from './work.ts';

/**
 * The deploy machine: takes requests, runs the deployments of one app one after another and those of different apps side
 * by side, and takes up at a start what the last process left.
 */
export class DeployMachine implements Deploys {
  readonly #base: Base;
  readonly #parts: RunParts;
  readonly #log: Logger;
  readonly #closing = new AbortController();
  /** The end of each app's queue. */
  readonly #queues = new Map<number, Promise<void>>();
  readonly #running = new Map<number, AbortController>();

  constructor(base: Base, parts: RunParts) {
    this.#base = base;
    this.#parts = parts;
    this.#log = parts.log;
  }

  async request(app: AppTarget, ask: DeployAsk): Promise<number> {
    const release = decide(this.#base, app, ask);
    await mustExist(this.#base, app, release);
    return this.#record(app.id, release, ask.trigger);
  }

  async plan(app: AppTarget, ask: DeployAsk): Promise<DeployPlan> {
    const release = decide(this.#base, app, ask);
    await mustExist(this.#base, app, release);
    const { store, engine } = this.#base;
    const live = liveOf(store, app.id);
    const { spec } = releaseOf(this.#base, app.id, release.revision);
    const input: PlanInput = {
      image: release.image,
      spec,
      exclusive: isExclusive(store, app.id),
      live: live === undefined ? null : { tag: live.tag, instances: instancesOfDeployment(store, live.id).length },
      present: (await engine.findImage(release.imageId ?? release.image)) !== null,
    };
    const before = live === undefined ? null : readRevision(this.#base, app.id, live.revision).spec;
    return {
      steps: plan(input).map(({ name, describe }) => ({ name, describe })),
      changes: changes(input, before),
    };
  }

  /** Deploys again what is live, exactly as it is: for containers that somebody removed. */
  async replace(appId: number): Promise<void> {
    const live = liveOf(this.#base.store, appId);
    if (!live) return;
    const trigger = { kind: 'restart', by: 'davit', via: 'schedule' } as const;
    const { tag, image, image_id: imageId, digest, revision } = live;
    this.#record(appId, { tag, image, imageId, digest, revision, rollbackOf: null }, trigger);
  }

  async limit(app: AppTarget): Promise<void> {
    const { engine, store } = this.#base;
    if (!engine.capabilities.liveLimits) return;
    const rows = instancesOfApp(store, app.id).filter((row) => row.role === 'active' && row.container_id !== null);
    try {
      await Promise.all(rows.map((row) => engine.setLimits(row.container_id ?? row.name, engineLimits(app.spec))));
    } catch (error) {
      if (error instanceof EngineRefused) throw new DavitError('conflict', `${error.message}.`, { cause: error });
      throw error;
    }
  }

  async cancel(deploymentId: number): Promise<void> {
    const { store, now } = this.#base;
    const row = store.tx((tx) => {
      const found = deploymentById(tx, deploymentId);
      if (!found) throw new DavitError('not_found');
      if (!can.cancel(found)) throw new DavitError('conflict', whyNotCancelled(found));
      if (found.status === 'pending')
        moveDeployment(tx, found, 'cancelled', { at: now(), error: 'Cancelled before it began.' });
      else if (!askCancel(tx, deploymentId)) throw new DavitError('conflict', whyNotCancelled(found));
      return found;
    });
    if (row.status === 'pending') return;
    this.#running.get(deploymentId)?.abort(new Cancelled('cancelled'));
    await this.ended(deploymentId, this.#closing.signal);
  }

  async ended(deploymentId: number, signal: AbortSignal): Promise<void> {
    const { store } = this.#base;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const until = AbortSignal.any([signal, this.#closing.signal]);
    const onAbort = () => reject(until.reason);
    const over = () => {
      const row = deploymentById(store, deploymentId);
      return !row || isTerminal(row.status);
    };
    const stop = store.onEvent((event) => {
      if (event.deploymentId === deploymentId && over()) resolve();
    });
    until.addEventListener('abort', onAbort, { once: true });
    try {
      if (over()) return;
      until.throwIfAborted();
      await promise;
    } finally {
      stop();
      until.removeEventListener('abort', onAbort);
    }
  }

  /** Takes up what the last process left unfinished, in the order it was asked for. */
  recover(): void {
    for (const row of openDeployments(this.#base.store)) {
      this.#log.info(
        { deployment: row.id, status: row.status, phase: row.phase },
        'taking up an unfinished deployment',
      );
      this.#enqueue(row.app_id, row.id);
    }
  }

  async removeDeleted(): Promise<void> {
    await removeDeletedApps(this.#base, async (appId) => {
      for (const row of openDeploymentsOfApp(this.#base.store, appId)) {
        // One whose traffic is moving ends by itself within seconds; it is waited for like the others.
        if (can.cancel(row))
          await this.cancel(row.id).catch((error) => this.#log.info({ error }, 'a deployment ended by itself'));
      }
      await this.#queues.get(appId);
    });
  }

  /** Resolves when no deployment is under way. */
  async settled(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all(this.#queues.values());
  }

  /** Lets go of everything that runs, as a crash would: it is taken up at the next start. Waits end with `Interrupted`. */
  async [Symbol.asyncDispose](): Promise<void> {
    const reason = new Interrupted();
    this.#closing.abort(reason);
    for (const controller of this.#running.values()) controller.abort(reason);
    await this.settled();
  }

  /** Puts a deployment on record and in its app's queue, in place of what waits there. */
  #record(appId: number, release: Release, trigger: Trigger): number {
    const { store, now } = this.#base;
    const id = store.tx((tx) => {
      if (!isAlive(tx, appId)) throw new DavitError('not_found');
      const waiting = openDeploymentsOfApp(tx, appId).filter((row) => row.status === 'pending');
      const newest = insertDeployment(tx, { appId, ...release, trigger, at: now() });
      for (const row of waiting) {
        const error = `Deployment ${newest} was asked for before this one began.`;
        moveDeployment(tx, row, 'cancelled', { at: now(), error, supersededBy: newest });
      }
      return newest;
    });
    this.#enqueue(appId, id);
    return id;
  }

  #enqueue(appId: number, deploymentId: number): void {
    const before = this.#queues.get(appId) ?? Promise.resolve();
    const done = before.then(() => this.#run(deploymentId));
    this.#queues.set(appId, done);
    void done.then(() => {
      if (this.#queues.get(appId) === done) this.#queues.delete(appId);
    });
  }

  /** Ends with the deployment: one whose end cannot be recorded (a full disk) is taken up again, as after a crash. */
  async #run(deploymentId: number): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const controller = new AbortController();
      this.#running.set(deploymentId, controller);
      try {
        return await runDeployment(this.#base, deploymentId, this.#parts, controller.signal);
      } catch (error) {
        // Nothing that a deployment does may end the daemon.
        this.#log.error({ deployment: deploymentId, error }, 'a deployment could not be brought to its end');
      } finally {
        this.#running.delete(deploymentId);
      }
      const pause = sleep(this.#parts.limits.takeUpMs, undefined, { signal: this.#closing.signal });
      // An abort is the closing, which the loop asks for.
      await pause.catch(() => undefined);
    }
  }
}

function whyNotCancelled({ id, status }: DeploymentRow): string {
  if (status === 'cancelled') return `Deployment ${id} was cancelled already.`;
  if (isTerminal(status)) return `Deployment ${id} has ended: it ${status}.`;
  return `Deployment ${id} is moving the traffic: wait a moment, then roll back.`;
}
