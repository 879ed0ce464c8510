/**
 * Applies events to cached deployments. A finished step or deployment never becomes unfinished again, because the
 * cached deployment may be newer than the event.
 */
import { DEPLOYMENT_PHASES, type Deployment, type DeploymentEvent, isTerminal } from '@davit/api';

/**
 * Applies an event to a deployment and returns the changed deployment. If the event changes nothing, the same object is
 * returned.
 */
export function patched(deployment: Deployment, event: DeploymentEvent): Deployment {
  if (deployment.id !== event.id || isTerminal(deployment.status)) return deployment;
  const { status } = event;
  if (isTerminal(status)) return ended(deployment, event);
  if (status === 'pending') return deployment;
  const steps = withStep(deployment.steps, event);
  const phase = later(deployment.phase, event.phase);
  if (deployment.status === status && steps === deployment.steps && phase === deployment.phase) return deployment;
  return { ...deployment, status, phase, steps, started_at: deployment.started_at ?? event.at };
}

function ended(deployment: Deployment, { status, error, at }: DeploymentEvent): Deployment {
  const { started_at } = deployment;
  const duration_ms = started_at === null ? null : Date.parse(at) - Date.parse(started_at);
  return { ...deployment, status, phase: null, error: error ?? deployment.error, finished_at: at, duration_ms };
}

function withStep(steps: Deployment['steps'], { step, at }: DeploymentEvent): Deployment['steps'] {
  if (step === null) return steps;
  const known = steps.find(({ name }) => name === step.name);
  if (step.state === 'started') {
    return known ? steps : [...steps, { name: step.name, started_at: at, finished_at: null, error: null }];
  }
  /*
   * Ignore the event of a failed step, because the event contains no error message. The dashboard fetches the
   * deployment again.
   */
  if (known === undefined || known.finished_at !== null || step.state === 'failed') return steps;
  return steps.map((one) => (one === known ? { ...one, finished_at: at } : one));
}

function later(known: Deployment['phase'], reported: Deployment['phase']): Deployment['phase'] {
  if (reported === null) return known;
  const position = (phase: Deployment['phase']) => (phase === null ? -1 : DEPLOYMENT_PHASES.indexOf(phase));
  return position(reported) > position(known) ? reported : known;
}
