/**
 * Interface of task kinds. A task kind is a list of named, idempotent steps with undo functions. SQLite has the start
 * and end of each step. After a crash, unfinished steps run again. If a step fails or the task is canceled, its steps
 * are undone in reverse order.
 */
import type { TaskStatus, WorkProblemCode } from '@davit/api';
import type { Tx } from '../../db/store.ts';
import type { Progress } from '../../db/tables/task.ts';
import type { TasksDeps } from './deps.ts';
import type { TaskKindName } from './tasks.ts';

/**
 * Data of a running task. Steps save their results in SQLite or in the task's state, because memory is lost in a crash.
 * @typeParam C dependencies of the steps
 */
export interface TaskWork<I, C = TasksDeps> {
  core: C;
  taskId: number;
  /** Input of the task. SQLite has it in encrypted form until the end of the task. */
  input: I;
  limits: TaskLimits;
  /** Small object in which steps save values for later steps. SQLite has it in encrypted form. */
  state: TaskState;
  /**
   * Reports the progress of the running step. Frequent calls are allowed, because writes to SQLite are rate-limited.
   */
  progress(done: number, total: number | null, unit?: string): void;
  /** Adds a line to the task's log. All users who see the task can read the log, so it must contain no secrets. */
  log(line: string): void;
}

export interface TaskState {
  get<S extends object>(): Partial<S>;
  /** Merges a change into the task's state. The state is in SQLite when the function returns. */
  set(change: object): void;
}

/**
 * Named, idempotent step of a task. `run` must work again if an earlier call was interrupted at any point. `undo` must
 * work after any part of `run`, and several times. Both read all data from SQLite, the task's state and the engine.
 */
export interface TaskStep<I, C = TasksDeps> {
  name: string;
  /** Whether a finished step must not run again, because its effects are visible outside Davit. */
  once?: boolean;
  /**
   * Whether the task cannot be undone from the start of this step on. The task can then not be canceled, and a failure
   * of this or a later step undoes nothing.
   */
  final?: boolean;
  /** Runs the step. If the engine becomes unavailable, the task runner calls `run` again when the engine is back. */
  run(work: TaskWork<I, C>, signal: AbortSignal): Promise<void>;
  undo?(work: TaskWork<I, C>): Promise<void>;
}

export interface TaskKind<I, C = TasksDeps> {
  kind: TaskKindName;
  /** Returns the steps of the task. Every call for the same task must return the same list. */
  steps(work: TaskWork<I, C>): readonly TaskStep<I, C>[];
  /**
   * Returns `false` if a failure must not undo the steps, so that an operator can inspect what the task created.
   * Default: `true`.
   */
  undoes?(work: TaskWork<I, C>): boolean;
  /**
   * Called at the end of the task, in the SQLite transaction that saves the outcome.
   * @param end `clean` is true if the task succeeded, or if all its steps were undone
   */
  ended?(tx: Tx, work: TaskWork<I, C>, end: TaskEnd): void;
}

export interface TaskEnd {
  status: Extract<TaskStatus, 'succeeded' | 'failed' | 'cancelled'>;
  clean: boolean;
}

/** Task kind whose input and dependency types are unknown to the task runner. */
export type AnyTaskKind<C> = TaskKind<unknown, C>;

/**
 * Converts a task kind to the type for the list of task kinds. The type check is lost: the caller that starts a task
 * must pass an input of the right type.
 */
export function anyKind<I, C>(kind: TaskKind<I, C>): AnyTaskKind<C> {
  return kind as unknown as AnyTaskKind<C>;
}

/** Time limits and delays of tasks, in milliseconds. */
export interface TaskLimits {
  /** Maximum time that the engine may be unavailable during a task. Afterwards the task fails. */
  engineAwayMs: number;
  /** Delay before a task runs again after its end could not be saved in SQLite. */
  takeUpMs: number;
  /** Maximum time until a started container responds. */
  readyMs: number;
  /**
   * Maximum delay between checks whether a container responds, and minimum delay between checks whether it still runs.
   */
  readyEveryMs: number;
  /** Minimum interval between writes of a task's progress to SQLite. */
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

/** Error that fails a task. Users see the message as the task's error and the lines in the task's log. */
export class TaskFailed extends Error {
  override name = 'TaskFailed';
  readonly lines: readonly string[];
  /** Code of an image or engine problem, or `null` for any other reason. */
  readonly code: WorkProblemCode | null;

  constructor(message: string, lines: readonly string[] = [], options: ErrorOptions & { code?: WorkProblemCode } = {}) {
    super(message, options);
    this.lines = lines;
    this.code = options.code ?? null;
  }
}
