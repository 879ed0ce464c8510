import { type EngineWait, withEngine } from './engine-away.ts';
import { Interrupted } from './interrupted.ts';

export interface RecordedStep<W> {
  name: string;
  /**
   * Whether a finished step is skipped after a restart of the daemon. Set this field if users could notice a second
   * run, for example of a release command.
   */
  once?: boolean;
  /** Runs the step. A step without `once` runs again after a crash, so a second run must not cause problems. */
  run(work: W, signal: AbortSignal): Promise<void>;
  undo?(work: W): Promise<void>;
}

/** Records in the database which steps of a task or deployment have started and ended. */
export interface StepRecord<S> {
  rows(): readonly { name: string; finished_at: number | null; error: string | null }[];
  /**
   * Records the start of a step. In the same SQLite transaction, checks whether the step may start.
   * @throws an error that ends the task or deployment
   */
  begin(step: S): void;
  end(step: S, error?: string): void;
}

export interface StepRun<W, S extends RecordedStep<W>> {
  work: W;
  steps: readonly S[];
  record: StepRecord<S>;
  engine: EngineWait;
  /** Returns the error message for users, or `null` for an internal error that users must not see. */
  reasonOf: (failure: unknown) => string | null;
}

const INTERNAL = 'An internal error occurred in Davit. Find the details in the log of the instance.';

/**
 * Runs the steps of a task or deployment in order. After a crash, runs all steps again except finished steps with
 * `once`.
 */
export async function runRecorded<W, S extends RecordedStep<W>>(
  run: StepRun<W, S>,
  signal: AbortSignal,
): Promise<void> {
  const done = run.record.rows().filter(({ finished_at, error }) => finished_at !== null && error === null);
  const finished = new Set(done.map(({ name }) => name));
  for (const step of run.steps) {
    signal.throwIfAborted();
    if (step.once && finished.has(step.name)) continue;
    await runStep(run, step, signal);
  }
}

/**
 * Undoes all started steps, the newest step first. Only a stop of the daemon interrupts this function.
 * @returns errors of the steps that could not be undone
 */
export async function undoRecorded<W, S extends RecordedStep<W>>(
  { work, steps, record, engine }: StepRun<W, S>,
  signal: AbortSignal,
): Promise<unknown[]> {
  const begun = new Set(record.rows().map(({ name }) => name));
  const until = signal.reason instanceof Interrupted ? signal : new AbortController().signal;
  const errors: unknown[] = [];
  for (const step of steps.toReversed()) {
    if (!begun.has(step.name) || !step.undo) continue;
    try {
      await withEngine(engine, until, async () => step.undo?.(work));
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      errors.push(error);
    }
  }
  return errors;
}

async function runStep<W, S extends RecordedStep<W>>(
  { work, record, engine, reasonOf }: StepRun<W, S>,
  step: S,
  signal: AbortSignal,
): Promise<void> {
  record.begin(step);
  try {
    await withEngine(engine, signal, () => step.run(work, signal));
  } catch (error) {
    // If the signal is aborted, the abort reason is used, because the error does not contain the cause.
    const failure: unknown = signal.aborted ? signal.reason : error;
    if (!(failure instanceof Interrupted)) record.end(step, reasonOf(failure) ?? INTERNAL);
    throw failure;
  }
  record.end(step);
}
