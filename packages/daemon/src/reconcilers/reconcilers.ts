import type { Logger } from '@davit/service';
import { type Reconciler, startReconciler, type Task } from './reconciler.ts';

/** Every reconciler of an instance, by the name of its task. Before they are started a nudge does nothing. */
export class Reconcilers implements AsyncDisposable {
  readonly #running = new Map<string, Reconciler>();

  /** Each makes its first pass now. */
  start(tasks: readonly Task[], log: Logger): void {
    for (const task of tasks) this.#running.set(task.name, startReconciler(task, log));
    for (const reconciler of this.#running.values()) reconciler.nudge();
  }

  nudge(name: string): void {
    this.#running.get(name)?.nudge();
  }

  /** Resolves when none is at work. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values().map((reconciler) => reconciler.settled()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.values().map((reconciler) => reconciler[Symbol.asyncDispose]()));
  }
}
