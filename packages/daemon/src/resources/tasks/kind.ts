/**
 * What a task is made of. A kind of task is a list of named steps, each idempotent, with what undoes it: they are recorded as
 * they begin and end, run again after a crash, and undone newest first when one fails or the task is cancelled.
 */
import type { TaskStatus, WorkProblemCode } from '@davit/api';
import type { Tx } from '../../db/store.ts';
import type { Progress } from '../../db/tables/task.ts';
import type { TasksDeps } from './deps.ts';
import type { TaskKindName } from './tasks.ts';

/**
 * One task under way. What a step finds out it writes to the store or to the task's own state, from which the next step, or
 * the next process, reads it: nothing is kept in memory between steps.
 * @typeParam C what it works with: `Core` for a kind that stands above core/, the base for one below
 */
export interface TaskWork<I, C = TasksDeps> {
  core: C;
  taskId: number;
  /** As it was asked; sealed on disk, and gone when the task has ended. */
  input: I;
  limits: TaskLimits;
  /** A small object kept with the task, sealed: what a step has chosen or seen before it changed it. */
  state: TaskState;
  /** How far the step under way is; may be called as often as one likes. */
  progress(done: number, total: number | null, unit?: string): void;
  /** Adds a line to the task's log, which everybody who sees the task may read: no secrets. */
  log(line: string): void;
}

export interface TaskState {
  get<S extends object>(): Partial<S>;
  /** Lays these over what is kept; on disk when it returns. */
  set(change: object): void;
}

/**
 * A named, idempotent piece of a task. `run` may be called again after any part of it was done; `undo` after any part of
 * `run`, and more than once. Both find what to do in the store, in the state and at the engine.
 */
export interface TaskStep<I, C = TasksDeps> {
  name: string;
  /** Not repeated after a restart once it has finished: what it does shows outside. */
  once?: boolean;
  /**
   * From its beginning on there is no way back: the task is not cancelled any more, and a failure of this step or a later
   * one undoes nothing.
   */
  final?: boolean;
  /** An engine that goes away in the middle is waited for, and the step is taken up again. */
  run(work: TaskWork<I, C>, signal: AbortSignal): Promise<void>;
  undo?(work: TaskWork<I, C>): Promise<void>;
}

export interface TaskKind<I, C = TasksDeps> {
  kind: TaskKindName;
  /** The same list whenever it is asked for the same task. */
  steps(work: TaskWork<I, C>): readonly TaskStep<I, C>[];
  /** False: a failure leaves what was done as it is, for somebody to look at. True unless given. */
  undoes?(work: TaskWork<I, C>): boolean;
  /**
   * In the transaction of its end, however it ends.
   * @param end `clean`: everything that was begun is undone, where it did not succeed
   */
  ended?(tx: Tx, work: TaskWork<I, C>, end: TaskEnd): void;
}

export interface TaskEnd {
  status: Extract<TaskStatus, 'succeeded' | 'failed' | 'cancelled'>;
  clean: boolean;
}

/** What the machine knows of a kind: which input and core it takes is the business of who asks for it. */
export type AnyTaskKind<C> = TaskKind<unknown, C>;

/** Registers a kind. The machine hands it the input it was asked with, which `startTask` of the same kind has typed. */
export function anyKind<I, C>(kind: TaskKind<I, C>): AnyTaskKind<C> {
  return kind as unknown as AnyTaskKind<C>;
}

/** Bounds and pauses, in milliseconds. */
export interface TaskLimits {
  /** How long the engine may be away in the middle of a task before that fails. */
  engineAwayMs: number;
  /** The pause before a task that could not be recorded is taken up again. */
  takeUpMs: number;
  /** How long something that was started may take to answer. */
  readyMs: number;
  /** The longest pause between two looks at whether it does, and the least between two at whether it still runs. */
  readyEveryMs: number;
  /** How often progress is written down at most. */
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

/** A task cannot go on. The message is a sentence for its record; the lines are for its log. */
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
