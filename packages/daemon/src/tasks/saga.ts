import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@davit/service';
import { Interrupted } from '../deploy/work.ts';
import { EngineUnavailable } from '../engine/engine.ts';
import type { Base } from '../release/base.ts';
import { finishTaskStep, startTaskStep, stepsOfTask, taskById } from '../store/task.ts';
import { TaskCancelled } from './cancelled.ts';
import type { TaskStep, TaskWork } from './kind.ts';

type Step<C> = TaskStep<unknown, C>;
type Work<C> = TaskWork<unknown, C>;

/**
 * Runs steps in order and records each. It can be called again after the process died anywhere in it: what has finished is
 * repeated (each step is idempotent) but for the steps that must happen once.
 */
export async function runTaskSteps<C extends Base>(
  steps: readonly Step<C>[],
  work: Work<C>,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const finished = new Set(
    stepsOfTask(work.core.store, work.taskId)
      .filter((row) => row.finished_at !== null && row.error === null)
      .map((row) => row.name),
  );
  for (const step of steps) {
    signal.throwIfAborted();
    if (step.once && finished.has(step.name)) continue;
    await runStep(step, work, log, signal);
  }
}

/**
 * Undoes what was begun, newest first. Errors are collected: one step that cannot be undone must not keep the others from it.
 */
export async function undoTaskSteps<C extends Base>(
  steps: readonly Step<C>[],
  work: Work<C>,
  log: Logger,
  signal: AbortSignal,
): Promise<unknown[]> {
  const begun = new Set(stepsOfTask(work.core.store, work.taskId).map((row) => row.name));
  const errors: unknown[] = [];
  for (const step of steps.toReversed()) {
    if (!begun.has(step.name) || !step.undo) continue;
    try {
      await withEngine(work, log, signal, async () => step.undo?.(work));
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      errors.push(error);
    }
  }
  return errors;
}

/** Whether a step was begun after which there is no way back. */
export function isPastReturn<C extends Base>(steps: readonly Step<C>[], { core, taskId }: Work<C>): boolean {
  const begun = new Set(stepsOfTask(core.store, taskId).map((row) => row.name));
  return steps.some(({ final, name }) => final === true && begun.has(name));
}

async function runStep<C extends Base>(step: Step<C>, work: Work<C>, log: Logger, signal: AbortSignal): Promise<void> {
  const { store, now } = work.core;
  const { taskId } = work;
  store.tx((tx) => {
    // A cancel that came first wins; from here on a final step does.
    if (taskById(tx, taskId)?.cancel_asked === 1) throw new TaskCancelled();
    startTaskStep(tx, taskId, step.name, now());
  });
  try {
    await withEngine(work, log, signal, () => step.run(work, signal));
  } catch (error) {
    // A wait that was called off says no more than that; what counts is who called it off.
    const failure: unknown = signal.aborted ? signal.reason : error;
    if (!(failure instanceof Interrupted)) {
      store.tx((tx) => finishTaskStep(tx, taskId, step.name, now(), (failure as Error).message));
    }
    throw failure;
  }
  store.tx((tx) => finishTaskStep(tx, taskId, step.name, now()));
}

const ENGINE_ASKED_EVERY_MS = 200;

/** An engine that restarts in the middle of a step is waited for, and the step taken up again. */
async function withEngine<C extends Base>(
  work: Work<C>,
  log: Logger,
  signal: AbortSignal,
  attempt: () => Promise<unknown>,
): Promise<void> {
  const deadline = performance.now() + work.limits.engineAwayMs;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (!(error instanceof EngineUnavailable) || performance.now() > deadline) throw error;
      log.warn({ task: work.taskId, error: error.message }, 'the engine went away during a task: waiting for it');
      await engineBack(work, signal, deadline, error);
    }
  }
}

async function engineBack<C extends Base>(
  work: Work<C>,
  signal: AbortSignal,
  deadline: number,
  cause: EngineUnavailable,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    if (performance.now() > deadline) throw cause;
    await sleep(ENGINE_ASKED_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    const answered = await work.core.engine.info(signal).then(
      () => true,
      () => false,
    );
    if (answered) return;
  }
}
