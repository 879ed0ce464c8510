/** The steps of a deployment or a task as they are told, without a terminal: what there is to show is a value. */
import type { DeploymentEvent, TaskEvent, TaskStep } from '@davit/api';

export interface Step {
  name: string;
  state: 'running' | 'done' | 'failed';
  /** By the instance's clock, in milliseconds; null while it runs. */
  tookMs: number | null;
  startedAt: number;
}

export interface Steps {
  list: readonly Step[];
  /** The number of the last event: where to go on. Null: none was told. */
  position: number | null;
}

export const NO_STEPS: Steps = { list: [], position: null };

/** What is told of either. */
type Told = Pick<DeploymentEvent | TaskEvent, 'seq' | 'at' | 'step' | 'status'>;

/** What an event makes of the steps; one that was told already changes nothing. */
export function withEvent(steps: Steps, { seq, at, step, status }: Told): Steps {
  if (steps.position !== null && seq <= steps.position) return steps;
  const told = { ...steps, position: seq };
  const when = Date.parse(at);
  // What ends takes the step it was in with it.
  if (step === null) return status === 'failed' || status === 'cancelled' ? ended(told, when, 'failed') : told;
  if (step.state !== 'started') return ended(told, when, step.state === 'failed' ? 'failed' : 'done', step.name);
  const others = told.list.filter(({ name }) => name !== step.name);
  return { ...told, list: [...others, { name: step.name, state: 'running', tookMs: null, startedAt: when }] };
}

/** The steps of a record that was read, whose beginning is not told any more. */
export function stepsOf(record: { steps: readonly TaskStep[] }, position: number | null): Steps {
  const list = record.steps.map(({ name, started_at, finished_at, error }): Step => {
    const startedAt = Date.parse(started_at);
    const tookMs = finished_at === null ? null : Date.parse(finished_at) - startedAt;
    return { name, state: error !== null ? 'failed' : finished_at === null ? 'running' : 'done', tookMs, startedAt };
  });
  return { list, position };
}

function ended(steps: Steps, at: number, state: 'done' | 'failed', name?: string): Steps {
  const list = steps.list.map((one) =>
    one.state === 'running' && (name === undefined || one.name === name)
      ? { ...one, state, tookMs: Math.max(0, at - one.startedAt) }
      : one,
  );
  return { ...steps, list };
}
