import type { TaskSubject, Via } from '@davit/api';
import type { Tx } from '../../db/store.ts';

/** `<noun>.<verb>`, for example `database.create`; shown to everybody. */
export type TaskKindName = `${string}.${string}`;

export interface TaskAsk<I = unknown> {
  kind: TaskKindName;
  /** One task at a time is open for it. */
  subject: TaskSubject;
  /** Whose members see it; null: who sees every project. */
  projectId: number | null;
  /** JSON; sealed on disk. */
  input: I;
  by: string;
  via: Via;
}

/** Who a task is asked for: a request's actor, a schedule, or who asked for the task that asks. */
export type Asker = Pick<TaskAsk, 'by' | 'via'>;

/** The task runner, for who asks for tasks. */
export interface Tasks {
  /**
   * Puts a task on record and begins it; the work is detached from who asked.
   * @param ask a function is called in the transaction of the record, so that what it changes and the task are on record
   * together or not at all
   * @returns the task's number
   * @throws DavitError conflict naming the task that is open for the subject
   */
  start(ask: TaskAsk | ((tx: Tx) => TaskAsk)): number;
  /** Resolves when it has ended, however. @throws the signal's reason; Interrupted when the instance stops */
  ended(taskId: number, signal: AbortSignal): Promise<void>;
  /**
   * Waits for a task that another one stands on.
   * @throws TaskFailed with its error when it did not succeed; the signal's reason; Interrupted
   */
  succeeded(taskId: number, signal: AbortSignal): Promise<void>;
  /** Resolves when what it had done is undone. @throws DavitError conflict when it has ended, or cannot go back any more */
  cancel(taskId: number): Promise<void>;
}
