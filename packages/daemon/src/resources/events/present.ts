import {
  type AppEvent,
  type DeploymentEvent,
  type EventMessage,
  type InstanceEvent,
  type ResourceEvent,
  type TaskEvent,
  timestamp,
} from '@davit/api';
import type { CommittedEvent } from '../../db/store.ts';
import type { PublishedEvent } from './published-event.ts';

type Of<K extends CommittedEvent['kind']> = Extract<CommittedEvent, { kind: K }>;
type Shown = Extract<EventMessage, { event: 'deployment' | 'app' | 'instance' | 'task' | 'resource' }>;

/** Converts a stored event to the format for clients. Only the fields that this file names are sent to clients. */
export function presentEvent(event: CommittedEvent): PublishedEvent {
  const { seq, projectId, appId, deploymentId } = event;
  const message = messageOf(event);
  const liveEvent = { ...message, id: seq, json: JSON.stringify(message.data) };
  return { kind: message.event, projectId, appId, deploymentId, event: liveEvent };
}

function messageOf(event: CommittedEvent): Shown {
  switch (event.kind) {
    case 'deployment':
      return { event: 'deployment', data: deployment(event) };
    case 'app':
    /*
     * After a change of a project, clients must reload the same lists as after a change of an app. So send both kinds
     * of changes as `app` events.
     */
    case 'project':
      return { event: 'app', data: app(event) };
    case 'instance':
      return { event: 'instance', data: instance(event) };
    case 'task':
      return { event: 'task', data: task(event) };
    case 'resource':
      return { event: 'resource', data: resource(event) };
  }
}

function happened({ seq, at, app }: CommittedEvent) {
  return { seq, at: timestamp(at), app };
}

function deployment(event: Of<'deployment'>): DeploymentEvent {
  const { status, phase = null, step = null, error = null } = event.data;
  return { ...happened(event), id: event.deploymentId ?? 0, status, phase, step, error };
}

function app(event: Of<'app' | 'project'>): AppEvent {
  const { change } = event.data;
  const [project = null, environment = null] = event.app?.split('/') ?? scopeOf(event);
  const revision = (event.kind === 'app' ? event.data.revision : undefined) ?? null;
  return { ...happened(event), project, environment, change, deployment: event.deploymentId, revision };
}

function scopeOf(event: Of<'app' | 'project'>): [project?: string, environment?: string | undefined] {
  return event.kind === 'project' ? [event.data.project, event.data.environment] : [];
}

function instance(event: Of<'instance'>): InstanceEvent {
  const { data, deploymentId } = event;
  const about =
    'change' in data
      ? { replica: null, state: null, change: data.change }
      : { replica: data.name, state: data.state === 'running' ? ('ready' as const) : data.state, change: null };
  return { ...happened(event), deployment: deploymentId, ...about };
}

function task({ seq, at, data }: Of<'task'>): TaskEvent {
  const { task: id, kind, subject, status, step, error } = data;
  return { seq, at: timestamp(at), id, kind, subject, status, step, error };
}

function resource({ seq, at, data }: Of<'resource'>): ResourceEvent {
  const { kind, reference, change } = data;
  return { seq, at: timestamp(at), kind, reference, change };
}
