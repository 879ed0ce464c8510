import { setTimeout as sleep } from 'node:timers/promises';
import { DavitError, isTaskOpen } from '@davit/api';
import { demandNoDeletion } from '../../authorization/deletion.ts';
import type { Tx } from '../../db/store.ts';
import { endTask, insertTask, openTasks, requestCancelOfTask, taskById } from '../../db/tables/task.ts';
import { Interrupted } from '../../workflow/interrupted.ts';
import { waitUntil } from '../../workflow/wait-until.ts';
import { TaskCancelled } from './cancelled.ts';
import type { TasksDeps } from './deps.ts';
import { TaskFailed } from './kind.ts';
import { demandNoTask } from './no-task.ts';
import { runTask, type TaskParts } from './run.ts';
import { isPastReturn } from './saga.ts';
import type { TaskRequest, Tasks } from './tasks.ts';
import { inputLocation, workOf } from './work.ts';

interface Going {
  controller: AbortController;
  done: Promise<void>;
}

/** Runs tasks in the background. After a restart of the daemon, continues the unfinished tasks. */
export class TaskRunner<C extends TasksDeps> implements Tasks, AsyncDisposable {
  readonly #core: C;
  readonly #parts: TaskParts<C>;
  readonly #going = new Map<number, Going>();
  readonly #closing = new AbortController();

  constructor(core: C, parts: TaskParts<C>) {
    this.#core = core;
    this.#parts = parts;
  }

  start(request: TaskRequest | ((tx: Tx) => TaskRequest)): number {
    this.#closing.signal.throwIfAborted();
    const id = this.#core.store.tx((tx) => this.#record(tx, typeof request === 'function' ? request(tx) : request));
    this.#go(id);
    return id;
  }

  ended(taskId: number, signal: AbortSignal): Promise<void> {
    const { store } = this.#core;
    const until = AbortSignal.any([signal, this.#closing.signal]);
    const over = () => {
      const row = taskById(store, taskId);
      return row === undefined || !isTaskOpen(row.status);
    };
    return waitUntil(store, ({ kind, data }) => kind === 'task' && data.task === taskId, over, until);
  }

  async succeeded(taskId: number, signal: AbortSignal): Promise<void> {
    await this.ended(taskId, signal);
    const row = taskById(this.#core.store, taskId);
    if (row?.status === 'succeeded') return;
    throw new TaskFailed(row?.error ?? `Task ${taskId} does not exist anymore.`);
  }

  async cancel(taskId: number): Promise<void> {
    const { store, now } = this.#core;
    const before = store.tx((tx) => {
      const row = taskById(tx, taskId);
      if (row === undefined) throw new DavitError('not_found');
      if (!isTaskOpen(row.status))
        throw new DavitError('conflict', `Task ${taskId} has already ended with the status ${row.status}.`);
      this.#demandReturn(taskId, row.kind);
      requestCancelOfTask(tx, taskId);
      return row;
    });
    const going = this.#going.get(taskId);
    if (going === undefined && before.status === 'pending')
      store.tx((tx) =>
        endTask(tx, taskId, 'cancelled', { at: now(), error: 'The task was canceled before it started.' }),
      );
    going?.controller.abort(new TaskCancelled());
    await this.ended(taskId, this.#closing.signal);
  }

  /** Continues the tasks that were not finished when the daemon stopped. */
  recover(): void {
    for (const { id, kind, status } of openTasks(this.#core.store)) {
      this.#parts.log.info({ task: id, kind, status }, 'after a restart, the daemon continues an unfinished task');
      this.#go(id);
    }
  }

  /** Resolves when no task is running. */
  async settled(): Promise<void> {
    while (this.#going.size > 0) await Promise.all([...this.#going.values()].map(({ done }) => done));
  }

  /**
   * Interrupts all running tasks, like a crash. The daemon continues the tasks after its next start. Functions that
   * wait for a task throw `Interrupted`.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    const reason = new Interrupted();
    this.#closing.abort(reason);
    for (const { controller } of this.#going.values()) controller.abort(reason);
    await this.settled();
  }

  #record(tx: Tx, { kind, subject, projectId, input, by, via }: TaskRequest): number {
    const { sealer, now } = this.#core;
    demandNoTask(tx, subject);
    demandNoDeletion(tx, projectId);
    if (!this.#parts.kinds.some((one) => one.kind === kind)) throw new Error(`unknown kind of task ${kind}`);
    const text = JSON.stringify(input);
    return insertTask(tx, { kind, subject, projectId, by, via, at: now() }, (id) =>
      sealer.seal(text, inputLocation(id)),
    );
  }

  /**
   * Checks that a task can still be canceled.
   * @throws DavitError conflict if a final step has started
   */
  #demandReturn(taskId: number, kindName: string): void {
    const kind = this.#parts.kinds.find(({ kind }) => kind === kindName);
    if (kind === undefined) return;
    const work = workOf(this.#core, taskId, this.#parts.limits);
    if (!isPastReturn(kind.steps(work), work)) return;
    throw new DavitError('conflict', `Task ${taskId} can no longer be canceled. Wait for its end.`);
  }

  /**
   * Starts a task in the background. The audit log does not assign the task's changes to the API request that started
   * the task.
   */
  #go(id: number): void {
    const controller = new AbortController();
    const done = this.#core.store.trail.apart(() => this.#run(id, controller.signal));
    const ended = done.finally(() => this.#going.delete(id));
    this.#going.set(id, { controller, done: ended });
  }

  /**
   * Runs a task until its result is saved in the database. If the result cannot be saved, for example because the disk
   * is full, runs the task again. The second run continues as after a crash.
   */
  async #run(id: number, signal: AbortSignal): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        return await runTask(this.#core, id, this.#parts, signal);
      } catch (error) {
        this.#parts.log.error({ task: id, error }, 'the result of a task could not be stored');
      }
      // Ignore the error of the aborted wait. Only a stop of the daemon aborts the wait, and then the loop ends.
      await sleep(this.#parts.limits.takeUpMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }
}
