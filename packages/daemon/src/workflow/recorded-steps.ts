import { type EngineWait, withEngine } from './engine-away.ts';
import { Interrupted } from './interrupted.ts';

export interface RecordedStep<W> {
  name: string;
  /**
   * `true` if a finished step must not run again after a restart of the daemon. Such a step has an effect that users
   * can see. Default: `false`.
   */
  once?: boolean;
  run(work: W, signal: AbortSignal): Promise<void>;
  undo?(work: W): Promise<void>;
}

/** Database access that records which steps of a task or deployment have started and ended. */
export interface StepRecord<S> {
  /** Returns the steps that have started. */
  rows(): readonly { name: string; finished_at: number | null; error: string | null }[];
  /**
   * Records the start of a step, in the same transaction as the check whether the step may start.
   * @throws an error that ends the work if the step may not start
   */
  begin(step: S): void;
  end(step: S, error?: string): void;
}

export interface StepRun<W, S extends RecordedStep<W>> {
  work: W;
  steps: readonly S[];
  record: StepRecord<S>;
  engine: EngineWait;
  /** Returns the text of an error for users, or `null` for an internal error. */
  reasonOf: (failure: unknown) => string | null;
}

const INTERNAL = 'An internal error occurred in Davit. The log of the instance has the details.';

/**
 * Runs steps in order and records each in the database. After a crash, a second call continues the work. Finished
 * steps run again, because each step is idempotent, except steps with `once`.
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
 * Rolls back all started steps, newest first. A cancellation by a user does not stop the rollback, but a stop of the
 * daemon does.
 * @returns the errors of the rollback. One failed step does not prevent the rollback of the others.
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
    // The error of an aborted call says only that it was aborted. The abort reason of the signal says why.
    const failure: unknown = signal.aborted ? signal.reason : error;
    if (!(failure instanceof Interrupted)) record.end(step, reasonOf(failure) ?? INTERNAL);
    throw failure;
  }
  record.end(step);
}
