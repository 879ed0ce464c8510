import { setTimeout as sleep } from 'node:timers/promises';
import { KeyedQueue } from '@davit/service/keyed-queue';
import { Interrupted } from '../../workflow/interrupted.ts';
import type { DeploymentsDeps } from './deps.ts';
import { type RunParts, runDeployment } from './run.ts';
import { Cancelled } from './work.ts';

/**
 * Queues of deployments. Each app has one queue. The deployments of one app run one after another. Deployments of
 * different apps run in parallel.
 */
export class AppQueues implements AsyncDisposable {
  readonly #base: DeploymentsDeps;
  readonly #parts: RunParts;
  readonly #closing = new AbortController();
  readonly #queue = new KeyedQueue<number>();
  readonly #running = new Map<number, AbortController>();
  readonly #repairs = new Map<number, AbortController>();

  constructor(base: DeploymentsDeps, parts: RunParts) {
    this.#base = base;
    this.#parts = parts;
  }

  /** Signal that aborts with `Interrupted` when the daemon stops. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Adds a deployment to the queue of its app, and aborts a running repair of the app. */
  add(appId: number, deploymentId: number): void {
    this.abortRepair(appId);
    /*
     * The deployment continues after the API request has ended. So exclude the changes of the deployment from the
     * request's audit log entry.
     */
    this.#base.store.trail.apart(() => void this.#queue.run(appId, () => this.#run(deploymentId)));
  }

  /**
   * Repairs the live release of an app. A new deployment of the app aborts the repair.
   * @returns `false` without a repair if the app has a deployment or the daemon is stopping
   */
  async repair(appId: number, work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    if (this.#queue.isBusy(appId) || this.#closing.signal.aborted) return false;
    const controller = new AbortController();
    this.#repairs.set(appId, controller);
    const repairing = () => work(controller.signal).finally(() => this.#repairs.delete(appId));
    await this.#base.store.trail.apart(() => this.#queue.run(appId, repairing));
    return true;
  }

  /** Aborts the repair of an app. Does nothing if no repair is running. */
  abortRepair(appId: number): void {
    this.#repairs
      .get(appId)
      ?.abort(new Cancelled('the repair of the app was canceled, because the app was deployed, stopped or deleted'));
  }

  /** Aborts a running deployment. Does nothing if the deployment has not started yet. */
  abort(deploymentId: number, reason: Error): void {
    this.#running.get(deploymentId)?.abort(reason);
  }

  /**
   * Resolves when all current deployments in the app's queue have ended. The function does not wait for deployments
   * that are added later.
   */
  emptied(appId: number): Promise<void> {
    return this.#queue.emptied(appId);
  }

  settled(): Promise<void> {
    return this.#queue.settled();
  }

  /** Interrupts all running deployments and repairs. The next start of the daemon continues the deployments. */
  async [Symbol.asyncDispose](): Promise<void> {
    const reason = new Interrupted();
    this.#closing.abort(reason);
    for (const controller of [...this.#running.values(), ...this.#repairs.values()]) controller.abort(reason);
    await this.settled();
  }

  /**
   * Runs a deployment until its result is saved. If the result cannot be saved, for example because the disk is full,
   * the deployment runs again.
   */
  async #run(deploymentId: number): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const controller = new AbortController();
      this.#running.set(deploymentId, controller);
      try {
        return await runDeployment(this.#base, deploymentId, this.#parts, controller.signal);
      } catch (error) {
        // Catch the error, because an error in one deployment must not end the daemon.
        this.#parts.log.error(
          { deployment: deploymentId, error },
          'the result of a deployment could not be stored; the deployment starts again',
        );
      } finally {
        this.#running.delete(deploymentId);
      }
      const pause = sleep(this.#parts.limits.takeUpMs, undefined, { signal: this.#closing.signal });
      // Ignore the error. Only a stop of the daemon aborts the delay, and the loop then ends.
      await pause.catch(() => undefined);
    }
  }
}
