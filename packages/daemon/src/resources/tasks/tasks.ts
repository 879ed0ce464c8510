import type { TaskSubject, Via } from '@davit/api';
import type { Tx } from '../../db/store.ts';

/** Name of a task kind: `<noun>.<verb>`, for example `database.create`. The API shows this name. */
export type TaskKindName = `${string}.${string}`;

export interface TaskRequest<I = unknown> {
  kind: TaskKindName;
  /** Database, app or other object that the task works on. An object can have only one unfinished task. */
  subject: TaskSubject;
  /** Id of the project whose users see the task. `null` if only users who see every project see the task. */
  projectId: number | null;
  /** Input of the task, a JSON value. SQLite has it in encrypted form. */
  input: I;
  by: string;
  via: Via;
}

/** User or schedule that requested a task. A task that another task starts has the requester of that task. */
export type Asker = Pick<TaskRequest, 'by' | 'via'>;

export interface Tasks {
  /**
   * Inserts a task into SQLite and starts it in the background.
   * @param ask task to insert, or a function that returns it. The function runs in the same SQLite transaction, so that
   * its changes are saved together with the task.
   * @returns id of the task
   * @throws DavitError conflict if the subject has an unfinished task
   */
  start(ask: TaskRequest | ((tx: Tx) => TaskRequest)): number;
  /**
   * Resolves when the task has ended, even if it failed.
   * @throws the signal's reason; Interrupted if the daemon stops
   */
  ended(taskId: number, signal: AbortSignal): Promise<void>;
  /**
   * Resolves when the task has succeeded, for tasks that depend on another task.
   * @throws TaskFailed with the task's error if it did not succeed; the signal's reason; Interrupted if the daemon
   * stops
   */
  succeeded(taskId: number, signal: AbortSignal): Promise<void>;
  /**
   * Cancels a task. Resolves when the task's steps are undone.
   * @throws DavitError conflict if the task has ended, or cannot be undone any more
   */
  cancel(taskId: number): Promise<void>;
}
