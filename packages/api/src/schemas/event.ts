import { z } from 'zod';
import { DEPLOYMENT_PHASES, DEPLOYMENT_STATUSES } from '../states/deployment.ts';
import { TASK_STATUSES } from '../states/task.ts';
import { Timestamp } from './common.ts';
import { DISK_STATES } from './instance.ts';
import { MachineSample } from './metric.ts';
import { REVISION_REASONS } from './revision.ts';
import { RESOURCE_EVENT_KINDS, TaskSubject } from './task.ts';

/**
 * Reasons of the event `reset` in an event stream:
 * - `position_gone`: events after the client's position are no longer stored, or the position never existed. The stream
 * continues with new events.
 * - `slow_reader`: the client read too slowly. The stream ends.
 * - `rights_ended`: the client lost its access, or the resource was deleted. The stream ends.
 * - `stopping`: the instance stops. The stream ends.
 * - `unavailable`, `failed`: the message contains the reason. The stream ends.
 *
 * An event with the field `app` is only about the log lines of this app, and the stream always continues.
 */
export const RESET_REASONS = [
  'position_gone',
  'slow_reader',
  'rights_ended',
  'stopping',
  'unavailable',
  'failed',
] as const;
export type ResetReason = (typeof RESET_REASONS)[number];

/** Data of the event `reset`. Any event stream of the API can send this event. */
export const Reset = z
  .object({
    reason: z
      .enum(RESET_REASONS)
      .describe(
        'Machine-readable reason why the stream ends or cannot resume after the last event that the client received.',
      ),
    message: z.string().describe('Reason why the stream sent the event `reset`, in one sentence.'),
    app: z
      .string()
      .optional()
      .describe(
        'Address of the app, if the event concerns only the log of one app. With the reason `position_gone`, Davit no longer stores the requested log lines, so the stream continues with the newest log lines of the app. With any other reason, the stream sends no more log lines of the app. Absent if the event concerns the whole stream.',
      ),
  })
  .meta({
    id: 'Reset',
    description:
      'Data of the event `reset`: the stream ends, or it cannot resume after the last event that the client received.',
  });
export type Reset = z.infer<typeof Reset>;

/** Kinds of events that a client can request from `GET /api/events`. */
export const EVENT_KINDS = ['deployment', 'app', 'instance', 'metric', 'machine', 'task', 'resource'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** Maximum number of apps whose logs one event stream can contain. The limit keeps the memory use of the daemon low. */
export const MOST_FOLLOWED_LOGS = 16;

const happened = {
  seq: z.int().describe('Sequence number of the event. A client can resume the stream after this event.'),
  at: Timestamp,
  app: z
    .string()
    .nullable()
    .describe(
      'Address of the app at the time of the event: `project/environment/app`. `null` if the event concerns no app.',
    ),
};

export const DeploymentEvent = z
  .object({
    ...happened,
    id: z.int().describe('ID of the deployment.'),
    status: z.enum(DEPLOYMENT_STATUSES),
    phase: z.enum(DEPLOYMENT_PHASES).nullable(),
    step: z
      .object({ name: z.string(), state: z.enum(['started', 'finished', 'failed']) })
      .nullable()
      .describe('Deployment step that started, finished or failed. `null` if the event concerns the whole deployment.'),
    error: z
      .string()
      .nullable()
      .describe(
        'Reason for the failure or cancellation, in one sentence. `null` if there was no failure or cancellation.',
      ),
  })
  .meta({
    id: 'DeploymentEvent',
    description: 'Data of the event `deployment`: a deployment was created, made progress or finished.',
  });
export type DeploymentEvent = z.infer<typeof DeploymentEvent>;

/**
 * Values of the field `change` in an event about an app, an environment or a project. Events about an environment or a
 * project have only `created`, `deleted` and the values about quotas.
 */
export const APP_CHANGES = [
  ...REVISION_REASONS,
  ...(['deleted', 'live', 'stopped', 'status', 'deployments', 'releases', 'pushed', 'runs', 'schedules'] as const),
  ...(['domains', 'volumes', 'tcp_ports', 'quota', 'disk_quota_exceeded', 'disk_quota_met', 'changed'] as const),
] as const;
export type AppChange = (typeof APP_CHANGES)[number];

/**
 * Values of the field `change` in an event about the instance. Each value is the name of the changed data, such as
 * `settings`.
 */
export const INSTANCE_CHANGES = [
  ...(['settings', 'engine', 'certificates', 'dns_providers', 'registries', 'platform_images'] as const),
  ...(['registry.repositories', 'registry.collecting', 'registry.collected', 'registry.failed'] as const),
] as const;
export type InstanceChange = (typeof INSTANCE_CHANGES)[number];

/** Values of the field `change` in an event about a database, an object store, a backup or a template installation. */
export const RESOURCE_CHANGES = [
  ...(['created', 'changed', 'status', 'credentials', 'deleted', 'restored', 'gone'] as const),
  ...(['attachments', 'backups', 'buckets', 'objects', 'resources'] as const),
] as const;
export type ResourceChange = (typeof RESOURCE_CHANGES)[number];

export const AppEvent = z
  .object({
    ...happened,
    project: z.string().nullable(),
    environment: z
      .string()
      .nullable()
      .describe('Name of the environment. `null` if the event concerns the whole project.'),
    change: z
      .enum(APP_CHANGES)
      .describe('Kind of change. Later versions of Davit may add kinds, so clients must ignore unknown kinds.'),
    deployment: z
      .int()
      .nullable()
      .describe('ID of the deployment that is now live, if `change` is `live`. `null` for all other changes.'),
    revision: z.int().nullable().describe('Number of the app revision that the change created.'),
  })
  .meta({
    id: 'AppEvent',
    description:
      'Data of the event `app`: an app was created, changed or deleted. If `app` is `null`, the event is about a project or an environment. To get the new state, request the changed resource again.',
  });
export type AppEvent = z.infer<typeof AppEvent>;

export const InstanceEvent = z
  .object({
    ...happened,
    deployment: z.int().nullable(),
    replica: z.string().nullable().describe('Name of the replica. `null` if the event concerns the Davit instance.'),
    state: z.enum(['ready', 'down', 'gone']).nullable(),
    change: z
      .enum(INSTANCE_CHANGES)
      .nullable()
      .describe(
        'What changed in the Davit instance, for example `settings`. `null` if the event concerns a replica. Later versions of Davit may add values, so clients must ignore unknown values.',
      ),
  })
  .meta({
    id: 'InstanceEvent',
    description:
      'Data of the event `instance`: the state of a replica changed, or a part of the Davit instance changed, for example its settings.',
  });
export type InstanceEvent = z.infer<typeof InstanceEvent>;

const happenedHere = {
  seq: happened.seq,
  at: Timestamp,
};

export const TaskEvent = z
  .object({
    ...happenedHere,
    id: z.int().describe('ID of the task.'),
    kind: z.string().describe('Kind of task, for example `database.create`.'),
    subject: TaskSubject,
    status: z.enum(TASK_STATUSES),
    step: z
      .object({ name: z.string(), state: z.enum(['started', 'finished', 'failed']) })
      .nullable()
      .describe('Task step that started, finished or failed. `null` if the event concerns the whole task.'),
    error: z
      .string()
      .nullable()
      .describe(
        'Reason for the failure or cancellation, in one sentence. `null` if there was no failure or cancellation.',
      ),
  })
  .meta({ id: 'TaskEvent', description: 'Data of the event `task`: a task was created, made progress or finished.' });
export type TaskEvent = z.infer<typeof TaskEvent>;

export const ResourceEvent = z
  .object({
    ...happenedHere,
    kind: z.enum(RESOURCE_EVENT_KINDS).describe('Kind of the resource that changed.'),
    reference: z.string().describe('Address or ID of the resource that changed, as in API paths.'),
    change: z
      .enum(RESOURCE_CHANGES)
      .describe('Kind of change. Later versions of Davit may add kinds, so clients must ignore unknown kinds.'),
  })
  .meta({
    id: 'ResourceEvent',
    description:
      'Data of the event `resource`: a database, an object store, a backup or an installation of a template was created, changed or deleted. To get the new state, request this resource again.',
  });
export type ResourceEvent = z.infer<typeof ResourceEvent>;

/**
 * Event with the resource usage of an app at one time. Metric events are not stored, so the instance does not send them
 * again after a reconnect.
 */
export const MetricEvent = z
  .object({
    at: Timestamp,
    app: z.string(),
    cpu_percent: z.number().describe('Processor use in percent. 100 is one core.'),
    memory_bytes: z.int().describe('Memory use in bytes, without the page cache.'),
    received_bytes_per_s: z.number(),
    sent_bytes_per_s: z.number(),
    replicas: z.int(),
    requests_per_s: z
      .number()
      .nullable()
      .describe('Requests per second in the last ten seconds. `null` if Davit does not count requests.'),
    client_error_share: z
      .number()
      .nullable()
      .describe(
        'Share of responses with a 4xx status in the last ten seconds, from 0 to 1. `null` if there were no requests.',
      ),
    server_error_share: z
      .number()
      .nullable()
      .describe(
        'Share of responses with a 5xx status in the last ten seconds, from 0 to 1. `null` if there were no requests.',
      ),
    p95_ms: z
      .number()
      .nullable()
      .describe(
        '95th percentile of the response time in the last ten seconds, in milliseconds. `null` if the app sent no responses.',
      ),
  })
  .meta({
    id: 'MetricEvent',
    description: 'Data of the event `metric`: resource use of all replicas of an app together.',
  });
export type MetricEvent = z.infer<typeof MetricEvent>;

/**
 * Event with the resource usage of the server at one time. All users receive this event, because all users may read the
 * server's metrics.
 */
export const MachineEvent = z
  .object({
    ...MachineSample.shape,
    at: Timestamp,
    engine_available: z.boolean().describe('Whether Docker responded to the last check by Davit.'),
    disk_state: z
      .enum(DISK_STATES)
      .nullable()
      .describe('State of the disk with the least free space. `null` if Davit has not measured a disk yet.'),
    warnings: z.int().describe('Number of warnings of the instance. `GET /api/instance` returns the warnings.'),
  })
  .meta({
    id: 'MachineEvent',
    description: 'Data of the event `machine`: resource use of the server, and the state of the instance.',
  });
export type MachineEvent = z.infer<typeof MachineEvent>;
