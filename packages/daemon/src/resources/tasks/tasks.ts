import type { TaskSubject, Via } from '@davit/api';
import type { Tx } from '../../db/store.ts';

/** Name of a task kind: `<noun>.<verb>`, for example `database.create`. The API shows this name. */
export type TaskKindName = `${string}.${string}`;

export interface TaskRequest<I = unknown> {
  kind: TaskKindName;
  /** Database, app or other object on which the task works. Each object can have only one unfinished task. */
  subject: TaskSubject;
  /**
   * Id of the project to which the task belongs. Users with access to this project can see the task. `null` if only
   * users with access to all projects can see the task.
   */
  projectId: number | null;
  /** Input of the task, as a JSON value. The database stores it encrypted. */
  input: I;
  by: string;
  via: Via;
}

/** User or schedule that requested the task. If a task starts another task, the other task gets the same value. */
export type TaskRequester = Pick<TaskRequest, 'by' | 'via'>;

export interface Tasks {
  /**
   * Inserts a task into the database and starts the task in the background.
   * @param ask task to insert, or a function that returns the task. The function runs in the same SQLite transaction,
   * so its own changes are saved together with the task.
   * @returns id of the task
   * @throws DavitError conflict if the object has an unfinished task
   */
  start(ask: TaskRequest | ((tx: Tx) => TaskRequest)): number;
  /**
   * Resolves when the task has ended, with success or failure.
   * @throws the signal's reason; Interrupted if the daemon stops
   */
  ended(taskId: number, signal: AbortSignal): Promise<void>;
  /**
   * Resolves when the task has succeeded. Used by tasks that depend on another task.
   * @throws TaskFailed with the task's error if the task did not succeed
   * @throws the abort reason of `signal`, or Interrupted if the daemon stops
   */
  succeeded(taskId: number, signal: AbortSignal): Promise<void>;
  /**
   * Cancels a task. Resolves when the task's steps are undone.
   * @throws DavitError conflict if the task has ended, or cannot be undone any more
   */
  cancel(taskId: number): Promise<void>;
}
