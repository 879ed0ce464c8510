import { type EngineWait, withEngine } from './engine-away.ts';
import { Interrupted } from './interrupted.ts';

export interface RecordedStep<W> {
  name: string;
  /** Not repeated after a restart once it has finished: what it does shows outside. */
  once?: boolean;
  run(work: W, signal: AbortSignal): Promise<void>;
  undo?(work: W): Promise<void>;
}

/** Where steps are recorded. */
export interface StepRecord<S> {
  /** Those that were begun. */
  rows(): readonly { name: string; finished_at: number | null; error: string | null }[];
  /** In one transaction with what it depends on whether there is to be a next step. @throws what ends the work instead */
  begin(step: S): void;
  end(step: S, error?: string): void;
}

export interface StepRun<W, S extends RecordedStep<W>> {
  work: W;
  steps: readonly S[];
  record: StepRecord<S>;
  engine: EngineWait;
  /** What a failure says to users; `null` if its text is internal. */
  reasonOf: (failure: unknown) => string | null;
}

const INTERNAL = 'Something went wrong inside Davit; its log has the details.';

/**
 * Runs steps in order and records each. It can be called again after the process died anywhere in it: what has finished is
 * repeated (each step is idempotent) but for the steps that must happen once.
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
 * Undoes what was begun, newest first; also when what ran was called off, but not when the daemon stops.
 * @returns errors are collected: one step that cannot be undone must not keep the others from it
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
    // A wait that was called off says no more than that; what counts is who called it off.
    const failure: unknown = signal.aborted ? signal.reason : error;
    if (!(failure instanceof Interrupted)) record.end(step, reasonOf(failure) ?? INTERNAL);
    throw failure;
  }
  record.end(step);
}
