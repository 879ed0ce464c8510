import type { WorkProblemCode } from '@davit/api';
import type { Logger } from '@davit/service';
import { workProblemCode } from '../../adapters/engine/work-problem.ts';
import { unlessBroken } from '../../app-spec/unsealed.ts';
import { SealBroken } from '../../db/seal.ts';
import type { Tx } from '../../db/store.ts';
import { beginTask, endTask, pruneTasks, setTaskFailing, type TaskRow, taskById } from '../../db/tables/task.ts';
import { Interrupted } from '../../workflow/interrupted.ts';
import { TaskCancelled } from './cancelled.ts';
import type { TasksDeps } from './deps.ts';
import { type AnyTaskKind, type TaskEnd, TaskFailed, type TaskLimits, type TaskStep, type TaskWork } from './kind.ts';
import { taskFailureReason } from './reason.ts';
import { isPastReturn, runTaskSteps, undoTaskSteps } from './saga.ts';
import { addLine, workOf } from './work.ts';

/** Task kinds and settings of the task runner. Tests pass their own task kinds, for example with steps that fail. */
export interface TaskParts<C> {
  kinds: readonly AnyTaskKind<C>[];
  limits: TaskLimits;
  log: Logger;
  /**
   * Cleans up after a failed task whose input cannot be decrypted. The steps of such a task cannot be undone. Runs in
   * the transaction that ends the task.
   */
  releaseOrphans?: (tx: Tx, core: C, reason: string) => void;
}

interface Run<C> {
  kind: AnyTaskKind<C>;
  work: TaskWork<unknown, C>;
  steps: readonly TaskStep<unknown, C>[];
  log: Logger;
}

/**
 * Runs a new or interrupted task. Starts with the first step that is not saved as finished. Returns before the end of
 * the task only if the daemon stops.
 */
export async function runTask<C extends TasksDeps>(
  core: C,
  id: number,
  parts: TaskParts<C>,
  signal: AbortSignal,
): Promise<void> {
  const { store } = core;
  store.tx((tx) => beginTask(tx, id, core.now()));
  const row = taskById(store, id);
  if (row?.status !== 'running') return;
  const run = prepared(core, id, row.kind, parts);
  if (run === null) return;
  try {
    // The task failed before the daemon restarted. Throw the error again, so that the steps of the task are undone.
    if (row.error !== null)
      throw row.cancel_asked === 1 ? new TaskCancelled(row.error) : new TaskFailed(row.error, [], codeOption(row));
    await runTaskSteps(run.steps, run.work, parts.log, signal);
  } catch (failure) {
    if (failure instanceof Interrupted) return;
    return giveUp(core, run, failure, signal);
  }
  end(core, run, { status: 'succeeded', clean: true }, null);
}

/**
 * Returns the steps and data of a task. Returns `null` if the task kind is unknown or the input cannot be decrypted,
 * and ends the task as failed.
 */
function prepared<C extends TasksDeps>(core: C, id: number, name: string, parts: TaskParts<C>): Run<C> | null {
  const { kinds, limits, log } = parts;
  const kind = kinds.find((one) => one.kind === name);
  const run = kind && unlessBroken(() => runOf(kind, workOf(core, id, limits), log));
  if (run !== undefined) return run;
  const why =
    kind === undefined
      ? 'Another version of Davit started the task, and this version cannot continue it.'
      : 'The input of the task cannot be decrypted, because it was changed outside Davit.';
  log.error({ task: id, kind: name }, why);
  const error = `${why} Start the task again.`;
  core.store.tx((tx) => {
    endTask(tx, id, 'failed', { at: core.now(), error });
    /*
     * The task cannot undo its steps, because it has no input. Reconcilers later remove the objects that the task
     * created.
     */
    parts.releaseOrphans?.(tx, core, error);
  });
  return null;
}

function runOf<C extends TasksDeps>(kind: AnyTaskKind<C>, work: TaskWork<unknown, C>, log: Logger): Run<C> {
  return { kind, work, steps: kind.steps(work), log };
}

/**
 * Undoes the steps of a failed task, and then ends the task. Saves the error first, so that the daemon continues the
 * undo after a restart.
 */
async function giveUp<C extends TasksDeps>(core: C, run: Run<C>, failure: unknown, signal: AbortSignal): Promise<void> {
  const { kind, work, steps, log } = run;
  const message = explain(work, failure, log);
  const isKept = isPastReturn(steps, work) || kind.undoes?.(work) === false;
  core.store.tx((tx) => setTaskFailing(tx, work.taskId, message, codeOf(failure)));
  let errors: unknown[] = [];
  try {
    if (!isKept) errors = await undoTaskSteps(steps, work, log, signal);
  } catch (error) {
    if (error instanceof Interrupted) return;
    throw error;
  }
  for (const error of errors)
    log.error({ task: work.taskId, error }, 'a step of a failed task could not be undone; Davit cleans up later');
  const status = failure instanceof TaskCancelled ? 'cancelled' : 'failed';
  end(core, run, { status, clean: !isKept && errors.length === 0 }, message);
}

function end<C extends TasksDeps>(core: C, run: Run<C>, outcome: TaskEnd, error: string | null): void {
  const { work } = run;
  core.store.tx((tx) => {
    atEnd(run, outcome, tx);
    endTask(tx, work.taskId, outcome.status, { at: core.now(), error });
    pruneTasks(tx, core.settings().tasks.kept);
  });
}

/**
 * Calls the function `ended` of the task, if there is one. If the task data cannot be decrypted, only logs the error,
 * so that the task can still end.
 */
function atEnd<C extends TasksDeps>({ kind, work, log }: Run<C>, outcome: TaskEnd, tx: Tx): void {
  try {
    kind.ended?.(tx, work, outcome);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    log.error(
      { task: work.taskId, error },
      'the data of a task cannot be decrypted, because it was changed outside Davit',
    );
  }
}

function codeOf(failure: unknown): WorkProblemCode | null {
  return failure instanceof TaskFailed ? failure.code : workProblemCode(failure);
}

function codeOption({ error_code: code }: TaskRow): { code?: WorkProblemCode } {
  return code === null ? {} : { code };
}

function explain<C extends TasksDeps>({ core, taskId }: TaskWork<unknown, C>, failure: unknown, log: Logger): string {
  if (failure instanceof TaskFailed) for (const line of failure.lines) addLine(core, taskId, line);
  const reason = taskFailureReason(failure);
  if (reason !== null) return reason;
  log.error({ task: taskId, error: failure }, 'a task failed because of an internal error');
  return `An internal error occurred in Davit. Find the details of task ${taskId} in the log of the instance.`;
}
