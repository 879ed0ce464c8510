import type { Logger } from '@davit/service';
import { type Reconciler, startReconciler, type Task } from './reconciler.ts';

/**
 * All reconcilers of the daemon, by name. `nudge` requests a run of one reconciler. A call before `start` has no
 * effect.
 */
export class Reconcilers implements AsyncDisposable {
  readonly #running = new Map<string, Reconciler>();

  /** Starts the reconcilers. Each reconciler runs once at the start. */
  start(tasks: readonly Task[], log: Logger): void {
    for (const task of tasks) this.#running.set(task.name, startReconciler(task, log));
    for (const reconciler of this.#running.values()) reconciler.nudge();
  }

  nudge(name: string): void {
    this.#running.get(name)?.nudge();
  }

  /** Runs a reconciler once, and waits for its end, but not for its background operations. */
  async run(name: string): Promise<void> {
    await this.#running.get(name)?.run();
  }

  /** Resolves when no reconciler is running or waiting to run. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values().map((reconciler) => reconciler.settled()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.values().map((reconciler) => reconciler[Symbol.asyncDispose]()));
  }
}
