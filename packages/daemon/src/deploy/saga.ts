import { setTimeout as sleep } from 'node:timers/promises';
import { EngineUnavailable } from '../engine/engine.ts';
import { enterPhase } from '../store/deployment.ts';
import { finishStep, startStep, stepsOfDeployment } from '../store/deployment-step.ts';
import { Cancelled, Interrupted, type Step, type Work } from './work.ts';

/**
 * Runs steps in order and records each. It can be called again after the process died anywhere in it: what has finished
 * is repeated (each step is idempotent) but for the steps that must happen once.
 */
export async function runSteps(steps: readonly Step[], work: Work, signal: AbortSignal): Promise<void> {
  const finished = new Set(
    stepsOfDeployment(work.base.store, work.deploymentId)
      .filter((row) => row.finished_at !== null && row.error === null)
      .map((row) => row.name),
  );
  for (const step of steps) {
    signal.throwIfAborted();
    if (step.once && finished.has(step.name)) continue;
    await runStep(step, work, signal);
  }
}

/**
 * Undoes what was begun, newest first. Errors are collected: one step that cannot be undone must not keep the others
 * from it.
 */
export async function undoSteps(steps: readonly Step[], work: Work, signal: AbortSignal): Promise<unknown[]> {
  const begun = new Set(stepsOfDeployment(work.base.store, work.deploymentId).map((row) => row.name));
  const errors: unknown[] = [];
  for (const step of steps.toReversed()) {
    if (!begun.has(step.name) || !step.undo) continue;
    const undo = step.undo;
    try {
      await withEngine(work, signal, () => undo(work));
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      errors.push(error);
    }
  }
  return errors;
}

async function runStep(step: Step, work: Work, signal: AbortSignal): Promise<void> {
  const { store, now } = work.base;
  const { deploymentId: id } = work;
  store.tx((tx) => {
    // Not applied: a cancel came first, or the deployment has ended.
    if (!enterPhase(tx, { id, app_id: work.app.id }, step.phase)) throw new Cancelled('cancelled');
    startStep(tx, id, step.name, now());
  });
  try {
    await withEngine(work, signal, () => step.run(work, signal));
  } catch (error) {
    // A wait that was called off says no more than that; what counts is who called it off.
    const failure: unknown = signal.aborted ? signal.reason : error;
    if (!(failure instanceof Interrupted)) {
      store.tx((tx) => finishStep(tx, id, step.name, now(), (failure as Error).message));
    }
    throw failure;
  }
  store.tx((tx) => finishStep(tx, id, step.name, now()));
}

const ENGINE_ASKED_EVERY_MS = 200;

/** An engine that restarts in the middle of a step is waited for, and the step taken up again. */
async function withEngine(work: Work, signal: AbortSignal, attempt: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + work.limits.engineAwayMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof EngineUnavailable) || performance.now() > deadline) throw error;
      work.log.warn(
        { deployment: work.deploymentId, error: error.message },
        'the engine went away during a deployment: waiting for it',
      );
      await engineBack(work, signal, deadline, error);
    }
  }
}

async function engineBack(work: Work, signal: AbortSignal, deadline: number, cause: EngineUnavailable): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    if (performance.now() > deadline) throw cause;
    await sleep(ENGINE_ASKED_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    const answered = await work.base.engine.info(signal).then(
      () => true,
      () => false,
    );
    if (answered) return;
  }
}
