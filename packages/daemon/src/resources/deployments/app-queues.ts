import { setTimeout as sleep } from 'node:timers/promises';
import { KeyedQueue } from '@davit/service/keyed-queue';
import { Interrupted } from '../../workflow/interrupted.ts';
import type { DeploymentsDeps } from './deps.ts';
import { type RunParts, runDeployment } from './run.ts';
import { Cancelled } from './work.ts';

/** Queues of deployments. The deployments of one app run one after another, and different apps run in parallel. */
export class AppQueues implements AsyncDisposable {
  readonly #base: DeploymentsDeps;
  readonly #parts: RunParts;
  readonly #closing = new AbortController();
  readonly #queue = new KeyedQueue<number>();
  readonly #running = new Map<number, AbortController>();
  /** Running repair of each app, by app id. */
  readonly #repairs = new Map<number, AbortController>();

  constructor(base: DeploymentsDeps, parts: RunParts) {
    this.#base = base;
    this.#parts = parts;
  }

  /** Returns a signal that aborts with `Interrupted` when the daemon stops. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /**
   * Adds a deployment to the queue of its app and ends a running repair. The deployment outlives its request, so the
   * changes it makes do not belong to the trail of the request.
   */
  add(appId: number, deploymentId: number): void {
    this.abortRepair(appId);
    this.#base.store.trail.apart(() => void this.#queue.run(appId, () => this.#run(deploymentId)));
  }

  /**
   * Runs a repair of an app's live release while the queue of the app is empty. A deployment that is added aborts the
   * repair and waits for its end.
   * @returns `false` if a deployment or another repair is in the queue, so that nothing was done
   * @throws the error of the repair
   */
  async repair(appId: number, work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    if (this.#queue.isBusy(appId) || this.#closing.signal.aborted) return false;
    const controller = new AbortController();
    this.#repairs.set(appId, controller);
    const repairing = () => work(controller.signal).finally(() => this.#repairs.delete(appId));
    await this.#base.store.trail.apart(() => this.#queue.run(appId, repairing));
    return true;
  }

  /** Aborts the repair of an app, if a repair is running. */
  abortRepair(appId: number): void {
    this.#repairs
      .get(appId)
      ?.abort(new Cancelled('a deployment of the app started, or the app was stopped or deleted'));
  }

  /** Aborts a running deployment. A waiting deployment is not affected. */
  abort(deploymentId: number, reason: Error): void {
    this.#running.get(deploymentId)?.abort(reason);
  }

  /** Resolves when the current entries of an app's queue have ended. */
  emptied(appId: number): Promise<void> {
    return this.#queue.emptied(appId);
  }

  /** Resolves when all queues are empty. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  /** Interrupts everything that runs, with the same result as a crash. */
  async [Symbol.asyncDispose](): Promise<void> {
    const reason = new Interrupted();
    this.#closing.abort(reason);
    for (const controller of [...this.#running.values(), ...this.#repairs.values()]) controller.abort(reason);
    await this.settled();
  }

  /**
   * Runs a deployment until its end is recorded. If the end cannot be recorded, for example because the disk is full,
   * the deployment starts again as after a crash.
   */
  async #run(deploymentId: number): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const controller = new AbortController();
      this.#running.set(deploymentId, controller);
      try {
        return await runDeployment(this.#base, deploymentId, this.#parts, controller.signal);
      } catch (error) {
        // An error of one deployment must never end the daemon.
        this.#parts.log.error(
          { deployment: deploymentId, error },
          'the end of a deployment could not be recorded; the deployment starts again',
        );
      } finally {
        this.#running.delete(deploymentId);
      }
      const pause = sleep(this.#parts.limits.takeUpMs, undefined, { signal: this.#closing.signal });
      // The pause aborts only when the daemon stops, which the condition of the loop checks.
      await pause.catch(() => undefined);
    }
  }
}
