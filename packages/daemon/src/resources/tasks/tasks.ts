import type { TaskSubject, Via } from '@davit/api';
import type { Tx } from '../../db/store.ts';

/** Name of a task kind: `<noun>.<verb>`, for example `database.create`. All users see the name. */
export type TaskKindName = `${string}.${string}`;

export interface TaskAsk<I = unknown> {
  kind: TaskKindName;
  /** Subject of the task. Only one task at a time may be open for a subject. */
  subject: TaskSubject;
  /** Id of the project whose users see the task, or `null` for users who see every project. */
  projectId: number | null;
  /** Input as JSON, stored encrypted. */
  input: I;
  by: string;
  via: Via;
}

/** Requester of a task: the actor of a request, a schedule, or the requester of the task that starts this task. */
export type Asker = Pick<TaskAsk, 'by' | 'via'>;

/** Interface of the task runner. */
export interface Tasks {
  /**
   * Records a task and starts it in the background.
   * @param ask request, or a function that returns the request. The function is called in the transaction of the
   * record, so that its changes and the task are recorded together or not at all.
   * @returns id of the task
   * @throws DavitError conflict with the task that is open for the subject
   */
  start(ask: TaskAsk | ((tx: Tx) => TaskAsk)): number;
  /**
   * Resolves when the task has ended with any outcome.
   * @throws the signal's reason; Interrupted when the instance stops
   */
  ended(taskId: number, signal: AbortSignal): Promise<void>;
  /**
   * Waits until a task that another task depends on has succeeded.
   * @throws TaskFailed with the task's error if it did not succeed; the signal's reason; Interrupted
   */
  succeeded(taskId: number, signal: AbortSignal): Promise<void>;
  /**
   * Cancels a task. Resolves when its steps are undone.
   * @throws DavitError conflict if the task has ended, or cannot be undone any more
   */
  cancel(taskId: number): Promise<void>;
}
