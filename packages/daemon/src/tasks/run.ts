import { DavitError } from '@davit/api';
import type { Logger } from '@davit/service';
import { Interrupted } from '../deploy/work.ts';
import { EngineRefused, EngineUnavailable } from '../engine/errors.ts';
import type { Base } from '../release/base.ts';
import { sentence } from '../release/sentence.ts';
import { SealBroken } from '../store/seal.ts';
import { beginTask, endTask, pruneTasks, setTaskFailing, taskById } from '../store/task.ts';
import { TaskCancelled } from './cancelled.ts';
import { type AnyTaskKind, type TaskEnd, TaskFailed, type TaskLimits, type TaskStep, type TaskWork } from './kind.ts';
import { isPastReturn, runTaskSteps, undoTaskSteps } from './saga.ts';
import { addLine, workOf } from './work.ts';

/** What tasks are run with; the kinds are a part, so that tests can run each step twice or let each fail. */
export interface TaskParts<C> {
  kinds: readonly AnyTaskKind<C>[];
  limits: TaskLimits;
  log: Logger;
}

interface Run<C> {
  kind: AnyTaskKind<C>;
  work: TaskWork<unknown, C>;
  steps: readonly TaskStep<unknown, C>[];
  log: Logger;
}

/**
 * Brings one task from wherever its record stands to its end: the first run and the one after a crash are the same. Returns
 * without an end only when the daemon is stopping.
 */
export async function runTask<C extends Base>(
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
    // Its undoing had begun.
    if (row.error !== null) throw row.cancel_asked === 1 ? new TaskCancelled(row.error) : new TaskFailed(row.error);
    await runTaskSteps(run.steps, run.work, parts.log, signal);
  } catch (failure) {
    if (failure instanceof Interrupted) return;
    return giveUp(core, run, failure, signal);
  }
  end(core, run, { status: 'succeeded', clean: true }, null);
}

/** Without its input a task can neither go on nor be undone; what it made, the reconcilers remove. */
function prepared<C extends Base>(
  core: C,
  id: number,
  name: string,
  { kinds, limits, log }: TaskParts<C>,
): Run<C> | null {
  const kind = kinds.find((one) => one.kind === name);
  const fail = (error: string) => core.store.tx((tx) => endTask(tx, id, 'failed', { at: core.now(), error }));
  if (kind === undefined) {
    fail('This version of Davit does not know such tasks any more: ask for it anew.');
    return null;
  }
  try {
    const work = workOf(core, id, limits);
    return { kind, work, steps: kind.steps(work), log };
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    log.error({ task: id, error }, 'what a task was asked with was changed outside Davit');
    fail('What it was asked with cannot be opened, it was changed outside Davit: ask for it anew.');
    return null;
  }
}

/** Undoes what was begun and records the end. Why is written down first, so that a restart goes on with it. */
async function giveUp<C extends Base>(core: C, run: Run<C>, failure: unknown, signal: AbortSignal): Promise<void> {
  const { kind, work, steps, log } = run;
  const message = explain(work, failure, log);
  const isKept = isPastReturn(steps, work) || kind.undoes?.(work) === false;
  core.store.tx((tx) => setTaskFailing(tx, work.taskId, message));
  let errors: unknown[] = [];
  try {
    if (!isKept) errors = await undoTaskSteps(steps, work, log, signal);
  } catch (error) {
    if (error instanceof Interrupted) return;
    throw error;
  }
  for (const error of errors)
    log.error({ task: work.taskId, error }, 'a step could not be undone: the reconcilers clean up after it');
  const status = failure instanceof TaskCancelled ? 'cancelled' : 'failed';
  end(core, run, { status, clean: !isKept && errors.length === 0 }, message);
}

function end<C extends Base>(core: C, { kind, work }: Run<C>, outcome: TaskEnd, error: string | null): void {
  core.store.tx((tx) => {
    kind.ended?.(tx, work, outcome);
    endTask(tx, work.taskId, outcome.status, { at: core.now(), error });
    pruneTasks(tx, core.settings().tasks.kept);
  });
}

function explain<C extends Base>({ core, taskId }: TaskWork<unknown, C>, failure: unknown, log: Logger): string {
  if (failure instanceof TaskFailed) for (const line of failure.lines) addLine(core, taskId, line);
  if (failure instanceof TaskCancelled || failure instanceof TaskFailed || failure instanceof DavitError)
    return failure.message;
  if (failure instanceof EngineRefused || failure instanceof EngineUnavailable) return sentence(failure.message);
  log.error({ task: taskId, error: failure }, 'a task failed inside Davit');
  return `Something went wrong inside Davit; its log has the details of task ${taskId}.`;
}
