import type { Logger } from '@davit/service';
import { taskById } from '../../db/tables/task.ts';
import { finishTaskStep, startTaskStep, stepsOfTask } from '../../db/tables/task-step.ts';
import { runRecorded, type StepRun, undoRecorded } from '../../workflow/recorded-steps.ts';
import { TaskCancelled } from './cancelled.ts';
import type { TasksDeps } from './deps.ts';
import type { TaskStep, TaskWork } from './kind.ts';
import { taskFailureReason } from './reason.ts';

type Step<C> = TaskStep<unknown, C>;
type Work<C> = TaskWork<unknown, C>;

/** Runs the steps of a task in order. Saves the start and end of each step in the database. */
export function runTaskSteps<C extends TasksDeps>(
  steps: readonly Step<C>[],
  work: Work<C>,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  return runRecorded(recorded(steps, work, log), signal);
}

/**
 * Undoes the started steps of a task in reverse order.
 * @returns errors of steps that could not be undone
 */
export function undoTaskSteps<C extends TasksDeps>(
  steps: readonly Step<C>[],
  work: Work<C>,
  log: Logger,
  signal: AbortSignal,
): Promise<unknown[]> {
  return undoRecorded(recorded(steps, work, log), signal);
}

/**
 * Returns whether the task has started a step that is marked as `final`. After that, the task cannot be canceled or
 * undone.
 */
export function isPastReturn<C extends TasksDeps>(steps: readonly Step<C>[], { core, taskId }: Work<C>): boolean {
  const begun = new Set(stepsOfTask(core.store, taskId).map((row) => row.name));
  return steps.some(({ final, name }) => final === true && begun.has(name));
}

function recorded<C extends TasksDeps>(
  steps: readonly Step<C>[],
  work: Work<C>,
  log: Logger,
): StepRun<Work<C>, Step<C>> {
  const { core, limits, taskId: id } = work;
  const { store, engine, now } = core;
  return {
    work,
    steps,
    record: {
      rows: () => stepsOfTask(store, id),
      begin: ({ name }) =>
        store.tx((tx) => {
          // Use one transaction. Otherwise, a cancellation could be saved between this check and the start of the step.
          if (taskById(tx, id)?.cancel_asked === 1) throw new TaskCancelled();
          startTaskStep(tx, id, name, now());
        }),
      end: ({ name }, error) => store.tx((tx) => finishTaskStep(tx, id, name, now(), error)),
    },
    reasonOf: taskFailureReason,
    engine: {
      engine,
      awayMs: limits.engineAwayMs,
      onAway: ({ message: error }) =>
        log.warn({ task: id, error }, 'Docker stopped responding during a task; the task waits for Docker'),
    },
  };
}
