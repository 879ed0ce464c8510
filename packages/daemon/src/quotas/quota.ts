/**
 * Project quotas. Code that reserves resources must call `withinQuota` in the same transaction. Otherwise, two requests
 * could reserve the same free resources.
 */
import {
  type AppSpec,
  count,
  DavitError,
  FEWEST_PIDS,
  invalidField,
  mostProcesses,
  type QuotaPut,
  type QuotaResource,
} from '@davit/api';
import { mebibytes } from '../app-spec/mebibytes.ts';
import type { Reader, Tx } from '../db/store.ts';
import { type QuotaRow, quotaOf, type Use, usedBy } from '../db/tables/quota.ts';

/**
 * Maximum number of processes and threads of each database and object store. The value is high enough for servers that
 * start one process for each connection.
 */
export const SERVICE_PIDS = 4_096;

const CHECKED = ['replicas', 'memory_bytes', 'cpu', 'pids', 'volumes', 'databases'] as const;

/** Returns the resources that a project uses now, in the same units as the project's quota. */
export function useOf(db: Reader, projectId: number): Use {
  return usedBy(db, projectId, SERVICE_PIDS);
}

/**
 * Runs `work`, and fails if `work` increases the resource use of a project above its quota. If a quota is set below the
 * current use, existing resources stay.
 * @throws DavitError quota_exceeded
 */
export function withinQuota<T>(tx: Tx, projectId: number, work: () => T): T {
  const quota = quotaOf(tx, projectId);
  if (quota === undefined) return work();
  const before = useOf(tx, projectId);
  const result = work();
  demandGrowth(quota, before, useOf(tx, projectId));
  return result;
}

/**
 * Checks the process limit of all replicas of an app together. Call this function after the quota check. Otherwise, a
 * user could lower the process limit and then find that the quota does not allow the replicas.
 * @throws DavitError quota_exceeded
 */
export function demandPids(db: Reader, projectId: number, { scale, limits }: Pick<AppSpec, 'scale' | 'limits'>): void {
  const limit = mostProcesses(quotaOf(db, projectId)?.pids);
  const requested = scale * limits.pids;
  if (requested <= limit) return;
  const [replicas, each] = [Math.floor(limit / limits.pids), Math.floor(limit / scale)];
  const ways = [
    ...(replicas >= 1 ? [`use at most ${count(replicas, 'replica')}`] : []),
    ...(each >= FEWEST_PIDS ? [`set limits.pids to ${each} or less (\`davit app set --pids\`)`] : []),
  ];
  const own = ways.length > 0 ? ` You can ${ways.join(', or ')}.` : '';
  throw invalidField(
    'limits.pids',
    'too_large',
    `The replicas of the app could have ${scale} × ${limits.pids} processes, but all replicas together may have at most ${limit}.${own} An admin with access to all projects can raise the pids quota of the project.`,
    { code: 'quota_exceeded', quota: { resource: 'pids', limit, used: 0, requested } },
  );
}

/**
 * Checks the quota for a changed number of replicas. The running replicas and the new replicas must fit at the same
 * time. The deployment reserves the new replicas.
 * @throws DavitError quota_exceeded
 */
export function demandReplicas(tx: Tx, projectId: number, { scale, limits }: Pick<AppSpec, 'scale' | 'limits'>): void {
  const quota = quotaOf(tx, projectId);
  if (quota === undefined) return;
  const before = useOf(tx, projectId);
  demandGrowth(quota, before, {
    ...before,
    replicas: before.replicas + scale,
    memory_bytes: before.memory_bytes + scale * (limits.memory_bytes ?? 0),
    cpu: before.cpu + scale * (limits.cpu ?? 0),
    pids: before.pids + scale * limits.pids,
    without_memory_limit: before.without_memory_limit + (limits.memory_bytes === null ? scale : 0),
    without_cpu_limit: before.without_cpu_limit + (limits.cpu === null ? scale : 0),
  });
}

/**
 * Checks that the disk use of a project is not above its quota. Davit measures the disk use once a minute.
 * @throws DavitError quota_exceeded
 */
export function demandDisk(db: Reader, projectId: number): void {
  const quota = quotaOf(db, projectId);
  if (quota !== undefined) demandRoom(quota);
}

function demandRoom({ disk_bytes: limit, disk_used: used }: QuotaRow): void {
  if (limit === null || used === null || used <= limit) return;
  throw new DavitError(
    'quota_exceeded',
    `The project uses ${shown('disk_bytes', used)} of disk space, measured once a minute, and its quota allows ${shown('disk_bytes', limit)}. Delete releases, volumes, logs or backups, or ask an admin with access to all projects to raise the quota.`,
    { quota: { resource: 'disk_bytes', limit, used, requested: null } },
  );
}

function demandGrowth(quota: QuotaRow, before: Use, after: Use): void {
  demandLimited(quota, 'memory_bytes', before, after);
  demandLimited(quota, 'cpu', before, after);
  for (const resource of CHECKED) {
    const limit = quota[resource];
    const [used, needed] = [before[resource], after[resource]];
    if (limit !== null && needed > limit && needed > used) throw refusal(resource, limit, used, needed - used);
  }
  if (after.volumes > before.volumes || after.service_volumes > before.service_volumes) demandRoom(quota);
}

/** Rejects a container without a memory or CPU limit if the quota of the project limits this resource. */
function demandLimited(quota: QuotaRow, resource: 'memory_bytes' | 'cpu', before: Use, after: Use): void {
  const limit = quota[resource];
  const field = resource === 'cpu' ? 'without_cpu_limit' : 'without_memory_limit';
  if (limit === null || after[field] <= before[field]) return;
  throw invalidField(
    `limits.${resource}`,
    'required',
    `This limit is required, because the project has a quota of ${shown(resource, limit)}. Set the limit, then try again.`,
    { code: 'quota_exceeded', quota: { resource, limit, used: before[resource], requested: null } },
  );
}

function refusal(resource: QuotaResource, limit: number, used: number, more: number): DavitError {
  const requested = resource === 'cpu' ? Math.round(more * 1e6) / 1e6 : more;
  return new DavitError(
    'quota_exceeded',
    `The project’s quota allows ${shown(resource, limit)}. The project uses ${shown(resource, used)}, and this request adds ${shown(resource, requested)}. Use less, or ask an admin with access to all projects to raise the quota.`,
    { quota: { resource, limit, used, requested } },
  );
}

const UNITS: Record<Exclude<QuotaResource, 'memory_bytes' | 'disk_bytes'>, readonly [one: string, many: string]> = {
  replicas: ['replica', 'replicas'],
  cpu: ['core (cpu)', 'cores (cpu)'],
  pids: ['process (pids)', 'processes (pids)'],
  volumes: ['volume', 'volumes'],
  databases: ['database or object store', 'databases and object stores'],
};

function shown(resource: QuotaResource, amount: number): string {
  if (resource === 'memory_bytes') return `${mebibytes(amount)} of memory (memory_bytes)`;
  return resource === 'disk_bytes' ? mebibytes(amount) : count(amount, ...UNITS[resource]);
}

/** Quota that limits no resource. New projects have this quota. */
export const NO_QUOTA: QuotaPut = {
  replicas: null,
  memory_bytes: null,
  cpu: null,
  pids: null,
  volumes: null,
  databases: null,
  disk_bytes: null,
};
