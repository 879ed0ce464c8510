import { z } from 'zod';
import { DEPLOYMENT_PHASES, DEPLOYMENT_STATUSES } from '../states/deployment.ts';
import { TASK_STATUSES } from '../states/task.ts';
import { Timestamp } from './common.ts';
import { DISK_STATES } from './instance.ts';
import { MachineSample } from './metric.ts';
import { REVISION_REASONS } from './revision.ts';
import { TASK_SUBJECTS, TaskSubject } from './task.ts';

/**
 * Why a stream goes on from now instead of from where the reader was, or ends. `position_gone`: what follows the position
 * is not kept any more, or it was never given. The others end the stream: `slow_reader`: it took less than there was to
 * read. `rights_ended`: the key, the session or the account may not read this any more, or the thing is gone. `stopping`:
 * the instance stops. `unavailable`, `failed`: the message says why. With `app` it is about the lines of that app alone,
 * and the stream goes on with everything else.
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

/** The data of an event `reset`, which any stream may send. */
export const Reset = z
  .object({
    reason: z.enum(RESET_REASONS).describe('For programs to tell them apart.'),
    message: z.string().describe('What happened, in a sentence.'),
    app: z
      .string()
      .optional()
      .describe(
        'Only the lines of this app, `project/environment/app`, are meant, and the stream goes on: with `position_gone` its newest lines come again, otherwise none come any more.',
      ),
  })
  .meta({ id: 'Reset', description: 'Why a stream does not go on from where the reader was, or ends.' });
export type Reset = z.infer<typeof Reset>;

/** The kinds of events that a stream of what happens can be asked for. */
export const EVENT_KINDS = ['deployment', 'app', 'instance', 'metric', 'machine', 'task', 'resource'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** The lines of so many apps can be told in one stream: as many as one has in view, and a bound on what is held. */
export const MOST_FOLLOWED_LOGS = 16;

const happened = {
  seq: z.int().describe('The number of the event, in the order of what happened; what a stream is resumed with.'),
  at: Timestamp,
  app: z.string().nullable().describe('`project/environment/app`, as it was then; null: of no app.'),
};

export const DeploymentEvent = z
  .object({
    ...happened,
    id: z.int().describe('The deployment’s number.'),
    status: z.enum(DEPLOYMENT_STATUSES),
    phase: z.enum(DEPLOYMENT_PHASES).nullable(),
    step: z
      .object({ name: z.string(), state: z.enum(['started', 'finished', 'failed']) })
      .nullable()
      .describe('The step that this is about; null: about the whole deployment.'),
    error: z.string().nullable().describe('Why it failed or was cancelled.'),
  })
  .meta({ id: 'DeploymentEvent', description: 'Data of `deployment`: a deployment was asked for, moved on or ended.' });
export type DeploymentEvent = z.infer<typeof DeploymentEvent>;

/** What can change of an app; of a project or an environment `created`, `deleted` and what its quota says. */
export const APP_CHANGES = [
  ...REVISION_REASONS,
  ...(['deleted', 'live', 'stopped', 'status', 'deployments', 'releases', 'pushed', 'runs', 'schedules'] as const),
  ...(['domains', 'volumes', 'tcp_ports', 'quota', 'disk_quota_exceeded', 'disk_quota_met', 'changed'] as const),
] as const;
export type AppChange = (typeof APP_CHANGES)[number];

/** What can change of the Davit instance itself. */
export const INSTANCE_CHANGES = [
  ...(['settings', 'engine', 'certificates', 'dns_providers', 'registries', 'platform_images'] as const),
  ...(['registry.repositories', 'registry.collecting', 'registry.collected', 'registry.failed'] as const),
] as const;
export type InstanceChange = (typeof INSTANCE_CHANGES)[number];

/** What can change of a database, an object store, a backup or an installed template. */
export const RESOURCE_CHANGES = [
  ...(['created', 'changed', 'status', 'credentials', 'deleted', 'restored', 'gone'] as const),
  ...(['attachments', 'backups', 'buckets', 'objects', 'resources'] as const),
] as const;
export type ResourceChange = (typeof RESOURCE_CHANGES)[number];

export const AppEvent = z
  .object({
    ...happened,
    project: z.string().nullable(),
    environment: z.string().nullable().describe('Null: of the whole project.'),
    change: z.enum(APP_CHANGES).describe('What changed. More values may be added.'),
    deployment: z.int().nullable().describe('With `live`: what is live now.'),
    revision: z.int().nullable().describe('The revision that the change made.'),
  })
  .meta({
    id: 'AppEvent',
    description:
      'Data of `app`: an app was made, changed or removed: read it again. With `app: null`, a project or an environment was.',
  });
export type AppEvent = z.infer<typeof AppEvent>;

export const InstanceEvent = z
  .object({
    ...happened,
    deployment: z.int().nullable(),
    instance: z.string().nullable().describe('The name of the container; null: the Davit instance itself.'),
    state: z.enum(['ready', 'down', 'gone']).nullable(),
    change: z
      .enum(INSTANCE_CHANGES)
      .nullable()
      .describe('With `instance: null`: what of the Davit instance changed. More values may be added.'),
  })
  .meta({ id: 'InstanceEvent', description: 'Data of `instance`: an instance of an app was seen in another state.' });
export type InstanceEvent = z.infer<typeof InstanceEvent>;

const happenedHere = {
  seq: happened.seq,
  at: Timestamp,
};

export const TaskEvent = z
  .object({
    ...happenedHere,
    id: z.int().describe('The task’s number.'),
    kind: z.string().describe('What is done, such as `database.create`.'),
    subject: TaskSubject,
    status: z.enum(TASK_STATUSES),
    step: z
      .object({ name: z.string(), state: z.enum(['started', 'finished', 'failed']) })
      .nullable()
      .describe('The step that this is about; null: about the whole task.'),
    error: z.string().nullable().describe('Why it failed or was cancelled.'),
  })
  .meta({ id: 'TaskEvent', description: 'Data of `task`: a task was asked for, moved on or ended.' });
export type TaskEvent = z.infer<typeof TaskEvent>;

export const ResourceEvent = z
  .object({
    ...happenedHere,
    kind: z.enum(TASK_SUBJECTS).describe('What kind of thing.'),
    reference: z.string().describe('As it is called in paths.'),
    change: z.enum(RESOURCE_CHANGES).describe('What changed. More values may be added.'),
  })
  .meta({
    id: 'ResourceEvent',
    description:
      'Data of `resource`: a database, a store, a backup or an install was made, changed or removed: read it again.',
  });
export type ResourceEvent = z.infer<typeof ResourceEvent>;

/** What is measured is not on record with what happened: it has no number, and no stream is resumed at it. */
export const MetricEvent = z
  .object({
    at: Timestamp,
    app: z.string(),
    cpu_percent: z.number().describe('100 is one core.'),
    memory_bytes: z.int().describe('Without the page cache.'),
    received_bytes_per_s: z.number(),
    sent_bytes_per_s: z.number(),
    instances: z.int(),
    requests_per_s: z
      .number()
      .nullable()
      .describe('Of the newest ten seconds, as the next three; null: nobody counted.'),
    client_error_share: z.number().nullable().describe('From 0 to 1; null without requests.'),
    server_error_share: z.number().nullable().describe('From 0 to 1; null without requests.'),
    p95_ms: z.number().nullable().describe('Null without answers of the app.'),
  })
  .meta({
    id: 'MetricEvent',
    description: 'Data of `metric`: what an app’s instances use together, as it is measured.',
  });
export type MetricEvent = z.infer<typeof MetricEvent>;

/** The same of the machine, which is there without any app; told to everybody, as its metrics are. */
export const MachineEvent = z
  .object({
    ...MachineSample.shape,
    at: Timestamp,
    engine_available: z.boolean().describe('The engine answered when it was last asked.'),
    disk_state: z.enum(DISK_STATES).nullable().describe('Of the fullest disk that it needs; null when none was seen.'),
    warnings: z.int().describe('How many things an operator should know: the instance’s record says which.'),
  })
  .meta({
    id: 'MachineEvent',
    description: 'Data of `machine`: what the machine uses, as it is measured, and how the instance is.',
  });
export type MachineEvent = z.infer<typeof MachineEvent>;
