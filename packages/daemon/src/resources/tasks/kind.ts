/**
 * Kinds of tasks. A task is a list of idempotent steps. The database stores the start and end of each step. After a
 * crash, unfinished steps run again.
 */
import type { TaskStatus, WorkProblemCode } from '@davit/api';
import type { Tx } from '../../db/store.ts';
import type { Progress } from '../../db/tables/task.ts';
import type { TasksDeps } from './deps.ts';
import type { TaskKindName } from './tasks.ts';

/**
 * Data of a running task. Steps save their results in the database or in the task's state, because memory is lost in a
 * crash.
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
   * Reports the progress of the running step. A step can call this function often, because not every call writes to the
   * database.
   */
  progress(done: number, total: number | null, unit?: string): void;
  /**
   * Adds a line to the task's log. The line must not contain secrets, because all users who can see the task can read
   * its log.
   */
  log(line: string): void;
}

export interface TaskState {
  get<S extends object>(): Partial<S>;
  /** Merges a change into the task's state. Saves the state in the database before it returns. */
  set(change: object): void;
}

/**
 * Idempotent step of a task. A crash can interrupt `run` or `undo` at any point, and `undo` must still work after that.
 * Both functions read all data from the database, the task's state and Docker.
 */
export interface TaskStep<I, C = TasksDeps> {
  name: string;
  /** Whether a finished step must not run again. This is the case if its effects are visible outside Davit. */
  once?: boolean;
  /**
   * Whether this step is the point of no return. After its start, the task cannot be canceled, and a failure undoes no
   * steps.
   */
  final?: boolean;
  /** Runs the step. If Docker becomes unavailable during the step, the task runner calls `run` again later. */
  run(work: TaskWork<I, C>, signal: AbortSignal): Promise<void>;
  /** Undoes the step. After a failure or cancellation of the task, the steps are undone in reverse order. */
  undo?(work: TaskWork<I, C>): Promise<void>;
}

export interface TaskKind<I, C = TasksDeps> {
  kind: TaskKindName;
  /** Returns the steps of the task. All calls for a task must return the same steps. */
  steps(work: TaskWork<I, C>): readonly TaskStep<I, C>[];
  /**
   * Returns whether the steps of a failed task are undone. If not, created objects stay, so that an operator can
   * inspect them. The default is `true`.
   */
  undoes?(work: TaskWork<I, C>): boolean;
  /**
   * Called in the transaction that saves the result of the task.
   * @param end result of the task. `end.clean` is `true` if the task succeeded or all steps were undone.
   */
  ended?(tx: Tx, work: TaskWork<I, C>, end: TaskEnd): void;
}

export interface TaskEnd {
  status: Extract<TaskStatus, 'succeeded' | 'failed' | 'cancelled'>;
  clean: boolean;
}

/**
 * Kind of task with an input of the TypeScript type `unknown`. The task runner uses this type, because each kind of
 * task has another input type.
 */
export type AnyTaskKind<C> = TaskKind<unknown, C>;

/**
 * Converts a task kind to a task kind with input `unknown`, so that one list can contain different kinds. TypeScript
 * then cannot check the input.
 */
export function anyKind<I, C>(kind: TaskKind<I, C>): AnyTaskKind<C> {
  return kind as unknown as AnyTaskKind<C>;
}

/** Time limits and delays of tasks, in milliseconds. */
export interface TaskLimits {
  /** Maximum time for which a task waits while Docker does not respond. At this limit, the task fails. */
  engineAwayMs: number;
  /** Delay before Davit retries a task whose result could not be saved in the database. */
  takeUpMs: number;
  /** Maximum time until a started container responds. At this limit, the task fails. */
  readyMs: number;
  /**
   * Interval in milliseconds for checks of a new container. It is the maximum interval between checks whether the
   * container responds. It is the minimum interval between checks whether the container runs.
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
 * Error that makes a task fail. Users see `message` as the reason of the failure. Davit adds `lines` to the log of the
 * task.
 */
export class TaskFailed extends Error {
  override name = 'TaskFailed';
  readonly lines: readonly string[];
  /** Error code if a problem with an image or with Docker caused the failure of the task. Otherwise `null`. */
  readonly code: WorkProblemCode | null;

  constructor(message: string, lines: readonly string[] = [], options: ErrorOptions & { code?: WorkProblemCode } = {}) {
    super(message, options);
    this.lines = lines;
    this.code = options.code ?? null;
  }
}
