/** Steps of a deployment or a task, as plain data without a terminal. */
import type { DeploymentEvent, TaskEvent, TaskStep } from '@davit/api';

export interface Step {
  name: string;
  state: 'running' | 'done' | 'failed';
  /** Duration in milliseconds by the clock of the instance, or `null` while the step runs. */
  tookMs: number | null;
  startedAt: number;
}

export interface Steps {
  list: readonly Step[];
  /** Number of the last event, after which to continue. `null` if there was no event. */
  position: number | null;
}

export const NO_STEPS: Steps = { list: [], position: null };

/** Common fields of the events of deployments and tasks. */
type Told = Pick<DeploymentEvent | TaskEvent, 'seq' | 'at' | 'step' | 'status'>;

/** Applies an event to the steps. A repeated event changes nothing. */
export function withEvent(steps: Steps, { seq, at, step, status }: Told): Steps {
  if (steps.position !== null && seq <= steps.position) return steps;
  const told = { ...steps, position: seq };
  const when = Date.parse(at);
  // The end of a deployment or task also ends its current step.
  if (step === null) return status === 'failed' || status === 'cancelled' ? ended(told, when, 'failed') : told;
  if (step.state !== 'started') return ended(told, when, step.state === 'failed' ? 'failed' : 'done', step.name);
  const others = told.list.filter(({ name }) => name !== step.name);
  return { ...told, list: [...others, { name: step.name, state: 'running', tookMs: null, startedAt: when }] };
}

/** Returns the steps of a record, for events that are no longer available. */
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
