import { setTimeout as sleep } from 'node:timers/promises';
import { KeyedQueue } from '@davit/service/keyed-queue';
import { Interrupted } from '../../workflow/interrupted.ts';
import type { DeploymentsDeps } from './deps.ts';
import { type RunParts, runDeployment } from './run.ts';
import { Cancelled } from './work.ts';

/** Runs the deployments of one app one after another, and those of different apps side by side. */
export class AppQueues implements AsyncDisposable {
  readonly #base: DeploymentsDeps;
  readonly #parts: RunParts;
  readonly #closing = new AbortController();
  readonly #queue = new KeyedQueue<number>();
  readonly #running = new Map<number, AbortController>();
  /** By app: the repair in its queue. */
  readonly #repairs = new Map<number, AbortController>();

  constructor(base: DeploymentsDeps, parts: RunParts) {
    this.#base = base;
    this.#parts = parts;
  }

  /** Aborts with `Interrupted` when everything is let go of. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** What runs in a queue is nobody's request any more: its changes are told of by the deployment's own record. */
  add(appId: number, deploymentId: number): void {
    this.abortRepair(appId);
    this.#base.store.trail.apart(() => void this.#queue.run(appId, () => this.#run(deploymentId)));
  }

  /**
   * Runs a repair of an app's live release while no deployment of the app is in its queue; a deployment that is added
   * aborts the repair and waits for its end.
   * @returns false if a deployment or another repair is in the queue: nothing was done
   * @throws what the repair throws
   */
  async repair(appId: number, work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    if (this.#queue.isBusy(appId) || this.#closing.signal.aborted) return false;
    const controller = new AbortController();
    this.#repairs.set(appId, controller);
    const repairing = () => work(controller.signal).finally(() => this.#repairs.delete(appId));
    await this.#base.store.trail.apart(() => this.#queue.run(appId, repairing));
    return true;
  }

  /** Ends the repair of an app, if there is one. */
  abortRepair(appId: number): void {
    this.#repairs.get(appId)?.abort(new Cancelled('a deployment of the app began, or the app was stopped or deleted'));
  }

  /** Has a deployment end that runs; one that waits is left alone. */
  abort(deploymentId: number, reason: Error): void {
    this.#running.get(deploymentId)?.abort(reason);
  }

  /** Resolves when the queue of an app is empty, as it is now. */
  emptied(appId: number): Promise<void> {
    return this.#queue.emptied(appId);
  }

  /** Resolves when all are empty. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  /** Lets go of everything that runs, as a crash would. */
  async [Symbol.asyncDispose](): Promise<void> {
    const reason = new Interrupted();
    this.#closing.abort(reason);
    for (const controller of [...this.#running.values(), ...this.#repairs.values()]) controller.abort(reason);
    await this.settled();
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
        this.#parts.log.error({ deployment: deploymentId, error }, 'a deployment could not be brought to its end');
      } finally {
        this.#running.delete(deploymentId);
      }
      const pause = sleep(this.#parts.limits.takeUpMs, undefined, { signal: this.#closing.signal });
      // An abort is the closing, which the loop asks for.
      await pause.catch(() => undefined);
    }
  }
}
