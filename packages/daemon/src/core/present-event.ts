import {
  type AppEvent,
  type DeploymentEvent,
  type DeploymentPhase,
  type DeploymentStatus,
  type InstanceEvent,
  type ResourceEvent,
  type TaskEvent,
  timestamp,
} from '@davit/api';
import type { CommittedEvent } from '../store/store.ts';
import type { LiveEvent, Told } from './live.ts';

/** A committed event as it is told: named fields only, whatever else was written down with it. */
export function presentEvent(event: CommittedEvent): Told {
  const { seq, projectId, appId, deploymentId } = event;
  const { kind, data } = PRESENTERS[event.kind](event);
  const told: LiveEvent = { id: seq, event: kind, data, json: JSON.stringify(data) };
  return { kind, projectId, appId, deploymentId, event: told };
}

interface Presented {
  kind: 'deployment' | 'app' | 'instance' | 'task' | 'resource';
  data: DeploymentEvent | AppEvent | InstanceEvent | TaskEvent | ResourceEvent;
}

const PRESENTERS: Record<CommittedEvent['kind'], (event: CommittedEvent) => Presented> = {
  deployment: (event) => ({ kind: 'deployment', data: deployment(event) }),
  app: (event) => ({ kind: 'app', data: app(event) }),
  // A list that a client shows has changed, as with an app: there is no reason for a name of its own.
  project: (event) => ({ kind: 'app', data: app(event) }),
  instance: (event) => ({ kind: 'instance', data: instance(event) }),
  task: (event) => ({ kind: 'task', data: task(event) }),
  resource: (event) => ({ kind: 'resource', data: resource(event) }),
};

function happened({ seq, at, app }: CommittedEvent) {
  return { seq, at: timestamp(at), app };
}

/** What the writers of `deployment` events put down; this program alone writes them. */
interface DeploymentData {
  status: DeploymentStatus;
  phase?: DeploymentPhase | null;
  step?: DeploymentEvent['step'];
  error?: string;
}

function deployment(event: CommittedEvent): DeploymentEvent {
  const { status, phase = null, step = null, error = null } = event.data as unknown as DeploymentData;
  return { ...happened(event), id: event.deploymentId ?? 0, status, phase, step, error };
}

function app(event: CommittedEvent): AppEvent {
  const { data, deploymentId } = event;
  const [project = null, environment = null] = event.app?.split('/') ?? [text(data.project), text(data.environment)];
  const change = text(data.change) ?? (data.live === undefined ? 'changed' : 'live');
  const revision = typeof data.revision === 'number' ? data.revision : null;
  return { ...happened(event), project, environment, change, deployment: deploymentId, revision };
}

function instance(event: CommittedEvent): InstanceEvent {
  const { data, deploymentId } = event;
  const state = data.state === 'running' ? 'ready' : data.state;
  return {
    ...happened(event),
    deployment: deploymentId,
    instance: text(data.name),
    state: state === 'ready' || state === 'down' || state === 'gone' ? state : null,
    change: text(data.change),
  };
}

/** What the writers of `task` events put down; this program alone writes them. */
interface TaskData extends Pick<TaskEvent, 'kind' | 'subject' | 'status' | 'step' | 'error'> {
  task: number;
}

function task({ seq, at, data }: CommittedEvent): TaskEvent {
  const { task: id, kind, subject, status, step, error } = data as unknown as TaskData;
  return { seq, at: timestamp(at), id, kind, subject, status, step, error };
}

/** The same of `resource` events. */
function resource({ seq, at, data }: CommittedEvent): ResourceEvent {
  const { kind, reference, change } = data as unknown as Pick<ResourceEvent, 'kind' | 'reference' | 'change'>;
  return { seq, at: timestamp(at), kind, reference, change };
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
