/** Calculates the state of each step of a deployment or task from the events of the API. */
import type { DeploymentEvent, TaskEvent, TaskStep } from '@davit/api';

export interface Step {
  name: string;
  state: 'running' | 'done' | 'failed';
  /**
   * Duration of the step in milliseconds, measured with the clock of the instance. `null` while the step is running.
   */
  tookMs: number | null;
  startedAt: number;
}

export interface Steps {
  list: readonly Step[];
  /**
   * Number of the last received event. A new event stream continues after this event. `null` if no event has been
   * received.
   */
  position: number | null;
}

export const NO_STEPS: Steps = { list: [], position: null };

type StepEvent = Pick<DeploymentEvent | TaskEvent, 'seq' | 'at' | 'step' | 'status'>;

/**
 * Updates the list of steps with an event of a deployment or task. Ignores an event that was already received, because
 * the server can repeat events after a reconnect.
 */
export function withEvent(steps: Steps, { seq, at, step, status }: StepEvent): Steps {
  if (steps.position !== null && seq <= steps.position) return steps;
  const updated = { ...steps, position: seq };
  const when = Date.parse(at);
  /*
   * An event without a step is about the whole deployment or task. If the deployment or task has failed, the running
   * step has also failed.
   */
  if (step === null) return status === 'failed' || status === 'cancelled' ? ended(updated, when, 'failed') : updated;
  if (step.state !== 'started') return ended(updated, when, step.state === 'failed' ? 'failed' : 'done', step.name);
  const others = updated.list.filter(({ name }) => name !== step.name);
  return { ...updated, list: [...others, { name: step.name, state: 'running', tookMs: null, startedAt: when }] };
}

/**
 * Returns the steps of a deployment or task from an API response. The response contains all steps, even if the server
 * has already deleted older events.
 */
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
