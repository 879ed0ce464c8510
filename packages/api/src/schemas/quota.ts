import { z } from 'zod';
import { APP_PIDS } from '../states/app-limits.ts';
import { Timestamp } from './common.ts';

/** Resources that a project's quota can limit. The daemon checks the limits in the order of this list. */
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

const MOST_BYTES = 2 ** 50;
const count = (most: number) => z.int().min(0).max(most).nullable();

const limits = {
  replicas: count(100_000).describe(
    'Maximum number of replicas of all apps of the project together. During a deployment, the replicas of both the old and the new release count.',
  ),
  memory_bytes: count(MOST_BYTES).describe(
    'Maximum sum of the memory limits of all containers of the project, in bytes. If you set this limit, each new container in the project must have a memory limit.',
  ),
  cpu: z
    .number()
    .min(0)
    .max(100_000)
    .nullable()
    .describe(
      'Maximum sum of the CPU limits of all containers of the project, in cores. If you set this limit, each new container in the project must have a CPU limit.',
    ),
  pids: count(100_000_000).describe(
    `Maximum sum of the \`pids\` limits (processes and threads) of all containers of the project. All replicas of one app together can have at most ${APP_PIDS} processes and threads. If the limit of the project is higher, it applies instead.`,
  ),
  volumes: count(100_000).describe(
    'Maximum number of app volumes in the project, including detached volumes. Volumes in the trash do not count.',
  ),
  databases: count(100_000).describe('Maximum number of databases and managed object stores in the project.'),
  disk_bytes: count(MOST_BYTES).describe(
    'Maximum disk use of the project in bytes: images, containers, volumes, logs, backups on this server, and releases in the registry of the instance. Davit measures the disk use every minute, so the project can exceed the limit for a short time.',
  ),
};

/** Request body that replaces the quota of a project. A missing field becomes `null`, which means no limit. */
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
  .meta({
    id: 'QuotaPut',
    description: 'Limits of a project. There is no limit for a field that is absent or `null`.',
  });
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
    description: 'JSON merge patch. Absent fields do not change. If a field is `null`, this resource has no limit.',
  });
export type QuotaPatch = z.infer<typeof QuotaPatch>;

export const QuotaUse = z
  .object({
    replicas: z
      .int()
      .describe('Number of replicas: running replicas, stopping replicas, and replicas that a deployment will start.'),
    memory_bytes: z.int().describe('Sum of the memory limits of all containers of the project, in bytes.'),
    cpu: z.number().describe('Sum of the CPU limits of all containers of the project, in cores.'),
    pids: z.int().describe('Sum of the `pids` limits (processes and threads) of all containers of the project.'),
    volumes: z
      .int()
      .describe('Number of app volumes in the project, including detached volumes. Volumes in the trash do not count.'),
    databases: z.int().describe('Number of databases and managed object stores in the project.'),
    disk_bytes: z
      .int()
      .nullable()
      .describe(
        'Disk use of the project in bytes at the time `disk_measured_at`. `null` if the quota has no `disk_bytes`, or if Davit has not measured the disk use yet.',
      ),
    without_memory_limit: z
      .int()
      .describe('Number of containers without a memory limit. These containers count as 0 in `memory_bytes`.'),
    without_cpu_limit: z
      .int()
      .describe('Number of containers without a CPU limit. These containers count as 0 in `cpu`.'),
  })
  .meta({
    id: 'QuotaUse',
    description:
      'Resources that the project currently uses, including resources that are reserved for deployments and tasks in progress.',
  });
export type QuotaUse = z.infer<typeof QuotaUse>;

export const Quota = z
  .object({
    ...limits,
    used: QuotaUse,
    disk_measured_at: Timestamp.nullable().describe('Time of the last measurement of the disk use of the project.'),
  })
  .meta({
    id: 'Quota',
    description: 'Limits of a project and the resources that it currently uses. A limit of `null` means no limit.',
  });
export type Quota = z.infer<typeof Quota>;

/** Details of an error with the code `quota_exceeded`. They describe the limit that the request would exceed. */
export const QuotaRefusal = z
  .object({
    resource: z
      .enum(QUOTA_RESOURCES)
      .describe('Field of the quota that the request would exceed, for example `memory_bytes`.'),
    limit: z
      .number()
      .describe('Maximum amount of the limited resource, for example memory. The request would exceed this maximum.'),
    used: z
      .number()
      .describe('Amount of the limited resource, for example memory, that the project used before the request.'),
    requested: z
      .number()
      .nullable()
      .describe(
        'Additional amount of the limited resource, for example memory, that the request needs. `null` if the amount is not known, for example for a container without a memory limit.',
      ),
  })
  .describe('Quota limit that the request would exceed.');
export type QuotaRefusal = z.infer<typeof QuotaRefusal>;
