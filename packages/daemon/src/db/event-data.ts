/**
 * Events that the daemon publishes, and the data that it stores for each kind. `resources/events/present.ts` converts
 * them for clients.
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

/** Details of a change of an app. The database stores them, but clients do not receive them. */
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
  /** Change of a project, or of an environment in the project. */
  project: { project: string; environment?: string; change: AppChange };
  /** Change of the Davit instance, or of a replica of an app. */
  instance: { change: InstanceChange } | { name: string; state: NonNullable<InstanceEvent['state']> | 'running' };
  task: Pick<TaskEvent, 'kind' | 'subject' | 'status' | 'step' | 'error'> & { task: number };
  resource: Pick<ResourceEvent, 'kind' | 'reference' | 'change'>;
}

type OfEachKind<Common> = { [K in keyof EventData]: Common & { kind: K; data: EventData[K] } }[keyof EventData];

/** An event that a transaction adds. */
export type NewEvent = OfEachKind<{
  /** Project of the event. Default: the project of the app or the deployment, if the event has one. */
  projectId?: number;
  appId?: number;
  deploymentId?: number;
}>;

export type CommittedEvent = OfEachKind<{
  seq: number;
  /** Time of the event in milliseconds since the epoch. */
  at: number;
  /** Project of the event, or `null` if the event belongs to no project. */
  projectId: number | null;
  appId: number | null;
  /** Reference of the app at the time of the event. */
  app: string | null;
  deploymentId: number | null;
}>;
