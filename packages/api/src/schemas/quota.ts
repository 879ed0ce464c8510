import { z } from 'zod';
import { Timestamp } from './common.ts';

/** Resources that a quota limits, in the order in which a request is checked. */
export const QUOTA_RESOURCES = [
  'replicas',
  'memory_bytes',
  'cpu',
  'pids',
  'volumes',
  'databases',
  'disk_bytes',
] as const;
export type QuotaResource = (typeof QUOTA_RESOURCES)[number];

/**
 * Maximum number of processes and threads of all replicas of one release together, unless the quota of the project
 * allows more.
 */
export const APP_PIDS = 4_096;

const MOST_BYTES = 2 ** 50;
const count = (most: number) => z.int().min(0).max(most).nullable();

const limits = {
  replicas: count(100_000).describe(
    'Maximum number of replicas of all apps together. A deployment counts the replicas of the old and the new release.',
  ),
  memory_bytes: count(MOST_BYTES).describe(
    'Maximum sum of memory limits, in bytes, of replicas, commands that run, databases and object stores. Each of them then needs a memory limit of its own.',
  ),
  cpu: z
    .number()
    .min(0)
    .max(100_000)
    .nullable()
    .describe('Maximum sum of CPU limits, in cores. Each replica, database and object store then needs a CPU limit.'),
  pids: count(100_000_000).describe(
    `Maximum sum of limits of processes and threads. An app may have more than ${APP_PIDS} in all its replicas only up to this number.`,
  ),
  volumes: count(100_000).describe('Maximum number of volumes of apps, without those in the trash.'),
  databases: count(100_000).describe('Maximum number of databases and object stores that the instance runs.'),
  disk_bytes: count(MOST_BYTES).describe(
    'Maximum disk use in bytes: image layers, writable layers, volumes (also those that images declare), logs, backups on this server, and everything pushed to the registry of the instance. It is measured every minute, so it can be exceeded between two measurements.',
  ),
};

/** Every field has the default `null`, which means no limit. */
export const QuotaPut = z
  .strictObject({
    replicas: limits.replicas.default(null),
    memory_bytes: limits.memory_bytes.default(null),
    cpu: limits.cpu.default(null),
    pids: limits.pids.default(null),
    volumes: limits.volumes.default(null),
    databases: limits.databases.default(null),
    disk_bytes: limits.disk_bytes.default(null),
  })
  .meta({ id: 'QuotaPut', description: 'Limits of a project. A field that is left out or `null` means no limit.' });
export type QuotaPut = z.infer<typeof QuotaPut>;

export const QuotaPatch = z
  .strictObject({
    replicas: limits.replicas.optional(),
    memory_bytes: limits.memory_bytes.optional(),
    cpu: limits.cpu.optional(),
    pids: limits.pids.optional(),
    volumes: limits.volumes.optional(),
    databases: limits.databases.optional(),
    disk_bytes: limits.disk_bytes.optional(),
  })
  .meta({
    id: 'QuotaPatch',
    description: 'JSON merge patch. Absent fields do not change, and `null` removes the limit.',
  });
export type QuotaPatch = z.infer<typeof QuotaPatch>;

export const QuotaUse = z
  .object({
    replicas: z.int().describe('Replicas that run, are retiring, or are reserved by a deployment.'),
    memory_bytes: z.int().describe('Sum of memory limits, in bytes.'),
    cpu: z.number().describe('Sum of CPU limits, in cores.'),
    pids: z.int().describe('Sum of limits of processes and threads.'),
    volumes: z.int().describe('Volumes of apps.'),
    databases: z.int().describe('Databases and object stores.'),
    disk_bytes: z
      .int()
      .nullable()
      .describe(
        'Disk use in bytes at `disk_measured_at`. `null` if the quota has no `disk_bytes` or nothing was measured yet.',
      ),
    without_memory_limit: z.int().describe('Containers without a memory limit. They count as 0 in `memory_bytes`.'),
    without_cpu_limit: z.int().describe('Containers without a CPU limit. They count as 0 in `cpu`.'),
  })
  .meta({ id: 'QuotaUse', description: 'What a project uses now, including what is reserved for work in progress.' });
export type QuotaUse = z.infer<typeof QuotaUse>;

export const Quota = z
  .object({
    ...limits,
    used: QuotaUse,
    disk_measured_at: Timestamp.nullable().describe('Time of the last measurement of the disk use.'),
  })
  .meta({ id: 'Quota', description: 'Limits of a project and its present use. `null` means no limit.' });
export type Quota = z.infer<typeof Quota>;

/** Reason of the code `quota_exceeded`. */
export const QuotaRefusal = z
  .object({
    resource: z.enum(QUOTA_RESOURCES).describe('Field of the quota that refused the request.'),
    limit: z.number().describe('Limit that applies.'),
    used: z.number().describe('Use before the request.'),
    requested: z
      .number()
      .nullable()
      .describe('Additional amount that the request needs. `null` if it needs a container without this limit.'),
  })
  .describe('The limit of the project that refused a request.');
export type QuotaRefusal = z.infer<typeof QuotaRefusal>;
