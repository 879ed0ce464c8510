import type { TaskSubject, Via } from '@davit/api';
import type { Tx } from '../../db/store.ts';

/** Name of a task kind: `<noun>.<verb>`, for example `database.create`. The API shows this name. */
export type TaskKindName = `${string}.${string}`;

export interface TaskRequest<I = unknown> {
  kind: TaskKindName;
  /** Database, app or other object on which the task works. Each object can have only one unfinished task. */
  subject: TaskSubject;
  /**
   * Id of the project whose users can see the task. `null` means that only users with access to all projects can see
   * the task.
   */
  projectId: number | null;
  /** Input of the task, as a JSON value. The database stores it encrypted. */
  input: I;
  by: string;
  via: Via;
}

/** User or schedule that requested the task. If a task starts another task, both tasks have the same requester. */
export type TaskRequester = Pick<TaskRequest, 'by' | 'via'>;

export interface Tasks {
  /**
   * Starts a task in the background and returns its id.
   * @param ask request for a task, or a function that returns the request in the same transaction
   * @throws DavitError conflict if the subject has an open task, or if a task deletes the project
   */
  start(ask: TaskRequest | ((tx: Tx) => TaskRequest)): number;
  /**
   * Resolves when the task has ended, with success or failure.
   * @throws the signal's reason; Interrupted if the daemon stops
   */
  ended(taskId: number, signal: AbortSignal): Promise<void>;
  /**
   * Resolves when the task has succeeded.
   * @throws TaskFailed with the task's error; the reason of `signal`; Interrupted if the daemon stops
   */
  succeeded(taskId: number, signal: AbortSignal): Promise<void>;
  /**
   * Cancels a task. Resolves when the task's steps are undone.
   * @throws DavitError conflict if the task has ended, or cannot be undone any more
   */
  cancel(taskId: number): Promise<void>;
}
