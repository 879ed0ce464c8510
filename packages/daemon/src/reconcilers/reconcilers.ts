import type { Logger } from '@davit/service';
import { type Reconciler, startReconciler, type Task } from './reconciler.ts';

/**
 * All reconcilers of the daemon, by name. `nudge` requests a run of one reconciler. A call before `start` has no
 * effect.
 */
export class Reconcilers implements AsyncDisposable {
  readonly #running = new Map<string, Reconciler>();
  #isComplete = false;

  /** Starts a reconciler before the others. It runs once at the start. */
  startEarly(task: Task, log: Logger): void {
    const reconciler = startReconciler(task, log);
    this.#running.set(task.name, reconciler);
    reconciler.nudge();
  }

  /** Starts all other reconcilers. Each reconciler, also one that started before, then runs once. */
  start(tasks: readonly Task[], log: Logger): void {
    for (const task of tasks) this.#running.set(task.name, startReconciler(task, log));
    this.#isComplete = true;
    for (const reconciler of this.#running.values()) reconciler.nudge();
  }

  /** @throws Error if there is no such reconciler, which is a bug */
  nudge(name: string): void {
    this.#named(name)?.nudge();
  }

  /**
   * Runs a reconciler once, and waits for its end, but not for its background operations.
   * @throws Error if there is no such reconciler, which is a bug
   */
  async run(name: string): Promise<void> {
    await this.#named(name)?.run();
  }

  /** Resolves when no reconciler is running or waiting to run. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values().map((reconciler) => reconciler.settled()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.values().map((reconciler) => reconciler[Symbol.asyncDispose]()));
  }

  #named(name: string): Reconciler | undefined {
    const found = this.#running.get(name);
    if (found === undefined && this.#isComplete) throw new Error(`run a reconciler: there is no reconciler “${name}”`);
    return found;
  }
}
