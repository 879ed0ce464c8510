import { enterPhase } from '../../db/tables/deployment-life.ts';
import { finishStep, startStep, stepsOfDeployment } from '../../db/tables/deployment-step.ts';
import { runRecorded, type StepRun, undoRecorded } from '../../workflow/recorded-steps.ts';
import { deploymentFailureReason } from './reason.ts';
import { Cancelled, type Step, type Work } from './work.ts';

/** Runs the steps of a deployment in order and saves each step in the database. */
export function runSteps(steps: readonly Step[], work: Work, signal: AbortSignal): Promise<void> {
  return runRecorded(recorded(steps, work), signal);
}

/**
 * Undoes all steps of a deployment that were started, newest first.
 * @returns the errors of steps that could not be undone
 */
export function undoSteps(steps: readonly Step[], work: Work, signal: AbortSignal): Promise<unknown[]> {
  return undoRecorded(recorded(steps, work), signal);
}

function recorded(steps: readonly Step[], work: Work): StepRun<Work, Step> {
  const { base, limits, log, app, deploymentId: id } = work;
  const { store, engine, now } = base;
  return {
    work,
    steps,
    record: {
      rows: () => stepsOfDeployment(store, id),
      begin: ({ name, phase }) =>
        store.tx((tx) => {
          // The function `enterPhase` returns `false` if the deployment was canceled or has already ended.
          if (!enterPhase(tx, { id, app_id: app.id }, phase)) throw new Cancelled('cancelled');
          startStep(tx, id, name, now());
        }),
      end: ({ name }, error) => store.tx((tx) => finishStep(tx, id, name, now(), error)),
    },
    reasonOf: deploymentFailureReason,
    engine: {
      engine,
      awayMs: limits.engineAwayMs,
      onAway: ({ message: error }) =>
        log.warn({ deployment: id, error }, 'Docker does not respond during a deployment; the deployment waits'),
    },
  };
}
