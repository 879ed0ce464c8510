/**
 * Interface of task kinds. A task kind is a list of named, idempotent steps with undo functions. The database records
 * the start and end of each step. After a crash, unfinished steps run again. If a step fails or the task is canceled,
 * the steps are undone in reverse order.
 */
import type { TaskStatus, WorkProblemCode } from '@davit/api';
import type { Tx } from '../../db/store.ts';
import type { Progress } from '../../db/tables/task.ts';
import type { TasksDeps } from './deps.ts';
import type { TaskKindName } from './tasks.ts';

/**
 * Data of a running task. Steps save their results in the database or in the task's state, because a crash loses the
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
 * Named, idempotent step of a task. If `run` is interrupted, Davit calls `run` again. `undo` must also work if `run`
 * has done only a part of its work, or if `undo` itself was interrupted. Both functions read all data from the
 * database, the task's state and Docker.
 */
export interface TaskStep<I, C = TasksDeps> {
  name: string;
  /** Whether a finished step must not run again, because its effects are visible outside Davit. */
  once?: boolean;
  /**
   * Whether this step is a point of no return. When the step starts, the task can no longer be canceled. If this step
   * or a later step fails, nothing is undone.
   */
  final?: boolean;
  /** Runs the step. If Docker becomes unavailable, the task runner calls `run` again when Docker is available. */
  run(work: TaskWork<I, C>, signal: AbortSignal): Promise<void>;
  undo?(work: TaskWork<I, C>): Promise<void>;
}

export interface TaskKind<I, C = TasksDeps> {
  kind: TaskKindName;
  /** Returns the steps of the task. It must return the same steps each time it is called for a task. */
  steps(work: TaskWork<I, C>): readonly TaskStep<I, C>[];
  /**
   * Returns whether Davit undoes the steps of a failed task. With `false`, everything that the task created stays, so
   * that an operator can inspect it. Default: `true`.
   */
  undoes?(work: TaskWork<I, C>): boolean;
  /**
   * Called when the task ends, in the SQLite transaction that saves its result.
   * @param end the result. `end.clean` is `true` if the task succeeded, or if all its steps were undone.
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
 * Converts a task kind to a type whose input is `unknown`, so that task kinds with different inputs fit in one list.
 * After that, TypeScript cannot check the input any more.
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
   * Interval in milliseconds for checks of a new container. Davit checks at least once per interval whether the
   * container responds. Davit checks at most once per interval whether the container is still running.
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
