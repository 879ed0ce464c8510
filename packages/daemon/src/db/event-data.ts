/** The events that this program publishes: for each kind what is stored with it. `resources/events/present.ts` shows them. */
import type {
  AppChange,
  DeploymentEvent,
  InstanceChange,
  InstanceEvent,
  ResourceEvent,
  RunStatus,
  TaskEvent,
} from '@davit/api';

/** Details of a change of an app. They are stored, and not shown. */
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
  /** Of a project, or of an environment in it. */
  project: { project: string; environment?: string; change: AppChange };
  /** Of the Davit instance itself, or of an instance of an app. */
  instance: { change: InstanceChange } | { name: string; state: NonNullable<InstanceEvent['state']> | 'running' };
  task: Pick<TaskEvent, 'kind' | 'subject' | 'status' | 'step' | 'error'> & { task: number };
  resource: Pick<ResourceEvent, 'kind' | 'reference' | 'change'>;
}

type OfEachKind<Common> = { [K in keyof EventData]: Common & { kind: K; data: EventData[K] } }[keyof EventData];

/** An event that a transaction adds. */
export type NewEvent = OfEachKind<{
  /** Absent: the project of the app or the deployment, if there is one. */
  projectId?: number;
  appId?: number;
  deploymentId?: number;
}>;

export type CommittedEvent = OfEachKind<{
  seq: number;
  /** Milliseconds since the epoch. */
  at: number;
  /** `null` for an event of no project. */
  projectId: number | null;
  appId: number | null;
  /** Reference of the app at that time. */
  app: string | null;
  deploymentId: number | null;
}>;
