/**
 * Structure of tasks. A kind of task is a list of named, idempotent steps with their undo functions. The start and end
 * of each step are recorded. Steps run again after a crash, and are undone newest first if a step fails or the task is
 * canceled.
 */
import type { TaskStatus, WorkProblemCode } from '@davit/api';
import type { Tx } from '../../db/store.ts';
import type { Progress } from '../../db/tables/task.ts';
import type { TasksDeps } from './deps.ts';
import type { TaskKindName } from './tasks.ts';

/**
 * Running task. Steps write their results to the database or the task's state, from which the next step or the next
 * process reads them. Nothing stays in memory between steps.
 * @typeParam C dependencies of the steps: `Core` for a kind above core/, the base type for a kind below
 */
export interface TaskWork<I, C = TasksDeps> {
  core: C;
  taskId: number;
  /** Input of the task, which is stored encrypted and deleted at the end of the task. */
  input: I;
  limits: TaskLimits;
  /** Small object with choices and observations of the steps, stored encrypted with the task. */
  state: TaskState;
  /** Reports the progress of the current step. Frequent calls are allowed. */
  progress(done: number, total: number | null, unit?: string): void;
  /** Adds a line to the task's log. All users who see the task can read the log, so it must contain no secrets. */
  log(line: string): void;
}

export interface TaskState {
  get<S extends object>(): Partial<S>;
  /** Merges a change into the state. The state is saved when the function returns. */
  set(change: object): void;
}

/**
 * Named, idempotent step of a task. `run` can be called again after any part of it has happened. `undo` can be called
 * several times, after any part of `run`. Both read the state from the database, the task's state and the engine.
 */
export interface TaskStep<I, C = TasksDeps> {
  name: string;
  /** Whether the step must not run again after it has finished, because its effects are visible outside Davit. */
  once?: boolean;
  /**
   * Whether the task cannot be undone from the start of this step on. The task can then not be canceled, and a failure
   * of this or a later step undoes nothing.
   */
  final?: boolean;
  /** Runs the step. If the engine becomes unavailable, the step runs again when the engine is back. */
  run(work: TaskWork<I, C>, signal: AbortSignal): Promise<void>;
  undo?(work: TaskWork<I, C>): Promise<void>;
}

export interface TaskKind<I, C = TasksDeps> {
  kind: TaskKindName;
  /** Returns the steps. Every call for a task must return the same list. */
  steps(work: TaskWork<I, C>): readonly TaskStep<I, C>[];
  /**
   * Returns `false` if a failure must not undo the steps, so that an operator can inspect the result. Default: `true`.
   */
  undoes?(work: TaskWork<I, C>): boolean;
  /**
   * Called in the transaction of the task's end, for every outcome.
   * @param end `clean` is true if the task succeeded, or if all its steps are undone
   */
  ended?(tx: Tx, work: TaskWork<I, C>, end: TaskEnd): void;
}

export interface TaskEnd {
  status: Extract<TaskStatus, 'succeeded' | 'failed' | 'cancelled'>;
  clean: boolean;
}

/**
 * Task kind with unknown types. Callers of `startTask` are responsible for the types of the input and the dependencies.
 */
export type AnyTaskKind<C> = TaskKind<unknown, C>;

/** Registers a kind. The runner passes the recorded input to the kind, and `startTask` has checked its type. */
export function anyKind<I, C>(kind: TaskKind<I, C>): AnyTaskKind<C> {
  return kind as unknown as AnyTaskKind<C>;
}

/** Time limits and pauses, in milliseconds. */
export interface TaskLimits {
  /** Time that the engine may be unavailable during a task before the task fails. */
  engineAwayMs: number;
  /** Pause before a task runs again whose end could not be recorded. */
  takeUpMs: number;
  /** Time in which a started container must respond. */
  readyMs: number;
  /** Maximum pause between checks that a container responds, and minimum pause between checks that it still runs. */
  readyEveryMs: number;
  /** Minimum interval between writes of the progress. */
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

/** Failure of a task. The message is a sentence for its record, and the lines are for its log. */
export class TaskFailed extends Error {
  override name = 'TaskFailed';
  readonly lines: readonly string[];
  /** Code of a problem with an image or the engine, or `null` for any other reason. */
  readonly code: WorkProblemCode | null;

  constructor(message: string, lines: readonly string[] = [], options: ErrorOptions & { code?: WorkProblemCode } = {}) {
    super(message, options);
    this.lines = lines;
    this.code = options.code ?? null;
  }
}
