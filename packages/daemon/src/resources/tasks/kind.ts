/**
 * Task kinds: lists of idempotent steps, whose start and end the database records. After a crash, unfinished steps run
 * again.
 */
import type { TaskStatus, WorkProblemCode } from '@davit/api';
import type { Tx } from '../../db/store.ts';
import type { Progress } from '../../db/tables/task.ts';
import type { TasksDeps } from './deps.ts';
import type { TaskKindName } from './tasks.ts';

/**
 * Data of a running task. Steps save results in the database or the task's state, because a crash deletes data in
 * memory.
 * @typeParam C dependencies of the steps
 */
export interface TaskWork<I, C = TasksDeps> {
  core: C;
  taskId: number;
  /** Input of the task. The database stores it encrypted until the end of the task. */
  input: I;
  limits: TaskLimits;
  /** Small object with values that steps save for later steps. The database stores it encrypted. */
  state: TaskState;
  /**
   * Reports the progress of the running step. A step can call this function often, because the function does not write
   * every call to the database.
   */
  progress(done: number, total: number | null, unit?: string): void;
  /**
   * Adds a line to the task's log. All users who can see the task can read its log, so the line must contain no
   * secrets.
   */
  log(line: string): void;
}

export interface TaskState {
  get<S extends object>(): Partial<S>;
  /** Merges a change into the task's state. The state is saved in the database before the function returns. */
  set(change: object): void;
}

/**
 * Idempotent step. `undo` must also work after a part of `run` or `undo`. Both read all data from the database, the
 * task's state and Docker.
 */
export interface TaskStep<I, C = TasksDeps> {
  name: string;
  /** Whether a finished step must not run again, because its effects are visible outside Davit. */
  once?: boolean;
  /**
   * Point of no return: the task cannot be canceled once this step starts, and a failure of this or a later step undoes
   * nothing.
   */
  final?: boolean;
  /** Runs the step. If Docker becomes unavailable, the task runner calls `run` again when Docker is available. */
  run(work: TaskWork<I, C>, signal: AbortSignal): Promise<void>;
  /** Undoes the step. After a failure or cancellation of the task, the steps are undone in reverse order. */
  undo?(work: TaskWork<I, C>): Promise<void>;
}

export interface TaskKind<I, C = TasksDeps> {
  kind: TaskKindName;
  /** Returns the steps of the task. It must return the same steps each time it is called for a task. */
  steps(work: TaskWork<I, C>): readonly TaskStep<I, C>[];
  /**
   * Returns whether a failed task is undone. With `false`, created objects stay, so that an operator can inspect them.
   * Default: `true`.
   */
  undoes?(work: TaskWork<I, C>): boolean;
  /**
   * Called in the transaction that saves the result of the task.
   * @param end `end.clean` is `true` if the task succeeded or all steps were undone
   */
  ended?(tx: Tx, work: TaskWork<I, C>, end: TaskEnd): void;
}

export interface TaskEnd {
  status: Extract<TaskStatus, 'succeeded' | 'failed' | 'cancelled'>;
  clean: boolean;
}

/**
 * Kind of task whose input has the TypeScript type `unknown`. The task runner uses this type, because each kind of task
 * has a different input.
 */
export type AnyTaskKind<C> = TaskKind<unknown, C>;

/**
 * Converts a task kind to input `unknown`, so that different kinds fit in one list. TypeScript then cannot check the
 * input.
 */
export function anyKind<I, C>(kind: TaskKind<I, C>): AnyTaskKind<C> {
  return kind as unknown as AnyTaskKind<C>;
}

/** Time limits and delays of tasks, in milliseconds. */
export interface TaskLimits {
  /** Maximum time for which a task waits while Docker does not respond. After that time, the task fails. */
  engineAwayMs: number;
  /** Delay before Davit retries a task whose result could not be saved in the database. */
  takeUpMs: number;
  /** Maximum time until a started container responds. After that time, the task fails. */
  readyMs: number;
  /**
   * Maximum delay between checks whether a new container responds, and minimum delay between checks whether it runs, in
   * milliseconds.
   */
  readyEveryMs: number;
  /** Minimum interval between two writes of a task's progress to the database. */
  progressEveryMs: number;
}

export const TASK_LIMITS: TaskLimits = {
  engineAwayMs: 60_000,
  takeUpMs: 5_000,
  readyMs: 5 * 60_000,
  readyEveryMs: 250,
  progressEveryMs: 1_000,
};

export type { Progress };

/**
 * Error that makes a task fail. Users see `message` as the reason of the failure. `lines` are added to the log of the
 * task.
 */
export class TaskFailed extends Error {
  override name = 'TaskFailed';
  readonly lines: readonly string[];
  /**
   * Error code if the task failed because of a problem with an image or with Docker. `null` if the task failed for
   * another reason.
   */
  readonly code: WorkProblemCode | null;

  constructor(message: string, lines: readonly string[] = [], options: ErrorOptions & { code?: WorkProblemCode } = {}) {
    super(message, options);
    this.lines = lines;
    this.code = options.code ?? null;
  }
}
