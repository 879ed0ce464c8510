import { setTimeout as sleep } from 'node:timers/promises';
import type { Base } from '../release/base.ts';
import { type RunParts, runDeployment } from './run.ts';
import { Interrupted } from './work.ts';

/** Runs the deployments of one app one after another, and those of different apps side by side. */
export class Queues implements AsyncDisposable {
  readonly #base: Base;
  readonly #parts: RunParts;
  readonly #closing = new AbortController();
  /** The end of each app's queue. */
  readonly #ends = new Map<number, Promise<void>>();
  readonly #running = new Map<number, AbortController>();

  constructor(base: Base, parts: RunParts) {
    this.#base = base;
    this.#parts = parts;
  }

  /** Aborts with `Interrupted` when everything is let go of. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** What runs in a queue is nobody's request any more: its changes are told of by the deployment's own record. */
  add(appId: number, deploymentId: number): void {
    this.#base.store.trail.apart(() => {
      const before = this.#ends.get(appId) ?? Promise.resolve();
      const done = before.then(() => this.#run(deploymentId));
      this.#ends.set(appId, done);
      void done.then(() => {
        if (this.#ends.get(appId) === done) this.#ends.delete(appId);
      });
    });
  }

  /** Has a deployment end that runs; one that waits is left alone. */
  abort(deploymentId: number, reason: Error): void {
    this.#running.get(deploymentId)?.abort(reason);
  }

  /** Resolves when the queue of an app is empty, as it is now. */
  async emptied(appId: number): Promise<void> {
    await this.#ends.get(appId);
  }

  /** Resolves when all are empty. */
  async settled(): Promise<void> {
    while (this.#ends.size > 0) await Promise.all(this.#ends.values());
  }

  /** Lets go of everything that runs, as a crash would. */
  async [Symbol.asyncDispose](): Promise<void> {
    const reason = new Interrupted();
    this.#closing.abort(reason);
    for (const controller of this.#running.values()) controller.abort(reason);
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
