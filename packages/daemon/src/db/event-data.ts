/**
 * Data of each kind of event. The daemon stores events in SQLite and publishes them. `resources/events/present.ts`
 * converts the events for API clients.
 */
import type {
  AppChange,
  DeploymentEvent,
  InstanceChange,
  InstanceEvent,
  ResourceEvent,
  RunStatus,
  TaskEvent,
} from '@davit/api';

/** Additional fields of app events that are stored in SQLite but not sent to API clients. */
interface AppChangeDetails {
  live?: number;
  run?: number;
  status?: RunStatus;
  schedule?: number;
  added?: string | number;
  changed?: string;
  removed?: string | number;
  kept?: string;
  gone?: string;
  tag?: string;
  outcome?: string;
}

export interface EventData {
  deployment: Pick<DeploymentEvent, 'status'> & Partial<Pick<DeploymentEvent, 'phase' | 'step' | 'error'>>;
  app: { change: AppChange; revision?: number } & AppChangeDetails;
  /** Event of a project. If `environment` is set, only this environment of the project has changed. */
  project: { project: string; environment?: string; change: AppChange };
  /** Event about a change of the whole Davit instance, or about the new state of a replica (container) of an app. */
  instance: { change: InstanceChange } | { name: string; state: NonNullable<InstanceEvent['state']> | 'running' };
  task: Pick<TaskEvent, 'kind' | 'subject' | 'status' | 'step' | 'error'> & { task: number };
  resource: Pick<ResourceEvent, 'kind' | 'reference' | 'change'>;
}

type OfEachKind<Common> = { [K in keyof EventData]: Common & { kind: K; data: EventData[K] } }[keyof EventData];

/** Event to insert in a SQLite transaction. The sequence number and the time are added during the insert. */
export type NewEvent = OfEachKind<{
  /** Id of the event's project. Default: the project of the event's app or deployment, or no project. */
  projectId?: number;
  appId?: number;
  deploymentId?: number;
}>;

export type CommittedEvent = OfEachKind<{
  seq: number;
  /** Time of the event in milliseconds since the epoch. */
  at: number;
  /** Id of the event's project, or `null` if the event belongs to no project. */
  projectId: number | null;
  appId: number | null;
  /**
   * Name of the event's app at the time of the event, as `project/environment/app`. `null` if the event is not about an
   * app.
   */
  app: string | null;
  deploymentId: number | null;
}>;
