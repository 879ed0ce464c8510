/**
 * Quotas of projects and the resource use of each project. The resource use is not stored. It is computed from apps,
 * databases and object stores.
 */
import type { AppChange, QuotaPut } from '@davit/api';
import { columnsOf, type Row, required, select, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { UNFINISHED } from './deployment.ts';

const q = columnsOf('project_quotas', 'q');
const QUOTA = select(q);
const DISK_QUOTA = select({ ...q, disk_bytes: required(q.disk_bytes), slug: columnsOf('projects', 'p').slug });

export type QuotaRow = Row<typeof QUOTA>;

const LIMITS = 'replicas, memory_bytes, cpu, pids, volumes, databases, disk_bytes';

export function quotaOf(db: Reader, projectId: number): QuotaRow | undefined {
  return db.get(QUOTA.from('project_quotas q WHERE project_id = ?'), projectId);
}

/** Returns the project quotas that have a disk limit. Deleted projects are omitted. */
export function diskQuotas(db: Reader): Row<typeof DISK_QUOTA>[] {
  return db.all(
    DISK_QUOTA.from(
      `project_quotas q JOIN projects p ON p.id = q.project_id
        WHERE q.disk_bytes IS NOT NULL AND p.deleted_at IS NULL ORDER BY q.project_id`,
    ),
  );
}

/**
 * Stores the quota of a project and publishes an event. If the quota has no disk limit, the measured disk use is
 * deleted.
 */
export function putQuota(tx: Tx, project: { id: number; slug: string }, quota: QuotaPut): void {
  const { replicas, memory_bytes, cpu, pids, volumes, databases, disk_bytes } = quota;
  tx.run(
    `INSERT INTO project_quotas (project_id, ${LIMITS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
       ON CONFLICT (project_id) DO UPDATE SET replicas = ?2, memory_bytes = ?3, cpu = ?4, pids = ?5, volumes = ?6,
         databases = ?7, disk_bytes = ?8, disk_used = iif(?8 IS NULL, NULL, disk_used),
         disk_measured_at = iif(?8 IS NULL, NULL, disk_measured_at), disk_exceeded = iif(?8 IS NULL, 0, disk_exceeded)`,
    project.id,
    replicas,
    memory_bytes,
    cpu,
    pids,
    volumes,
    databases,
    disk_bytes,
  );
  publishChange(tx, project, 'quota');
}

/**
 * Stores the measured disk use of a project. Publishes an event only if the project is newly above its disk limit, or
 * no longer above it.
 */
export function setDiskUse(tx: Tx, project: { id: number; slug: string }, bytes: number, at: number): void {
  const quota = quotaOf(tx, project.id);
  if (quota === undefined || quota.disk_bytes === null) return;
  const isExceeded = bytes > quota.disk_bytes;
  tx.run(
    'UPDATE project_quotas SET disk_used = ?, disk_measured_at = ?, disk_exceeded = ? WHERE project_id = ?',
    bytes,
    at,
    isExceeded ? 1 : 0,
    project.id,
  );
  if (isExceeded !== (quota.disk_exceeded === 1))
    publishChange(tx, project, isExceeded ? 'disk_quota_exceeded' : 'disk_quota_met');
}

function publishChange(tx: Tx, { id, slug }: { id: number; slug: string }, change: AppChange): void {
  tx.event({ kind: 'project', projectId: id, data: { project: slug, change } });
}

const VOLUME = select({ name: sql.text('name') });

/**
 * Returns the names of all Docker volumes of a project's apps, databases and object stores, including volumes in the
 * trash.
 */
export function volumeNames(db: Reader, projectId: number): string[] {
  const rows = db.all(
    VOLUME.from(
      `(SELECT name FROM volumes WHERE project_id = ?1 UNION SELECT volume FROM databases WHERE project_id = ?1
        UNION SELECT volume FROM object_stores WHERE project_id = ?1 AND kind = 'managed')`,
    ),
    projectId,
  );
  return rows.map(({ name }) => name);
}

const BACKUPS = select({
  bytes: sql.integer(
    `(SELECT coalesce(sum(size_bytes), 0) FROM backups
        WHERE project_id = ?1 AND status = 'succeeded' AND json_extract(destination, '$.kind') = 'disk')
      + (SELECT coalesce(sum(s.size_bytes), 0) FROM backup_segments s JOIN databases d ON d.id = s.database_id
        WHERE d.project_id = ?1 AND json_extract(s.destination, '$.kind') = 'disk')`,
  ),
});

/**
 * Returns the total size of a project's backups on the server's disk, in bytes. Backups in object stores are not
 * included.
 */
export function backupBytes(db: Reader, projectId: number): number {
  return db.get(BACKUPS.alone, projectId)?.bytes ?? 0;
}

/** Resources that the containers and volumes of a project use or have reserved. */
export interface Use {
  replicas: number;
  memory_bytes: number;
  cpu: number;
  pids: number;
  volumes: number;
  databases: number;
  /** Number of containers without a memory limit. `memory_bytes` does not include these containers. */
  without_memory_limit: number;
  without_cpu_limit: number;
  /**
   * Number of Docker volumes of databases and object stores. Includes databases in the trash, and databases that a
   * running background task created.
   */
  service_volumes: number;
}

const SUMS = select({
  replicas: sql.integer('coalesce(sum(n * replica), 0)'),
  memory_bytes: sql.integer("coalesce(sum(n * json_extract(limits, '$.memory_bytes')), 0)"),
  cpu: sql.real("coalesce(sum(n * json_extract(limits, '$.cpu')), 0)"),
  pids: sql.integer("coalesce(sum(n * json_extract(limits, '$.pids')), 0)"),
  without_memory_limit: sql.integer("coalesce(sum(iif(json_extract(limits, '$.memory_bytes') IS NULL, n, 0)), 0)"),
  without_cpu_limit: sql.integer("coalesce(sum(iif(json_extract(limits, '$.cpu') IS NULL, n, 0)), 0)"),
});

/**
 * Returns an SQL expression for the higher of two limits: the configured limit and the actual limit of the container.
 * `null` if no limit is configured.
 */
function largerLimit(limit: 'memory_bytes' | 'cpu'): string {
  return `max(${limit}, coalesce(json_extract(container_limits, '$.${limit}'), 0))`;
}

/** SQL query that returns the limits of each container of a project as a row. The query `SUMS` adds up these rows. */
const CONTAINERS = `
  -- Replicas whose containers exist or are being created, also those of a retiring release.
  SELECT 1 AS n, 1 AS replica, i.limits AS limits
    FROM instances i JOIN environments e ON e.id = i.environment_id
   WHERE e.project_id = ?1 AND i.role <> 'gone'
  UNION ALL
  -- Those that a deployment has reserved and not named yet. They include the container of its release command, whose limits
  -- may have been the larger ones when it was created. max() is null, which means no limit, if one of its arguments is null.
  SELECT json_extract(a.spec, '$.scale'), 1, iif(d.release_limits IS NULL, json_extract(a.spec, '$.limits'), json_object(
      'memory_bytes', max(json_extract(d.release_limits, '$.memory_bytes'), json_extract(a.spec, '$.limits.memory_bytes')),
      'cpu', max(json_extract(d.release_limits, '$.cpu'), json_extract(a.spec, '$.limits.cpu')),
      'pids', max(json_extract(d.release_limits, '$.pids'), json_extract(a.spec, '$.limits.pids'))))
    FROM deployments d JOIN apps a ON a.id = d.app_id JOIN environments e ON e.id = a.environment_id
   WHERE e.project_id = ?1 AND d.${UNFINISHED} AND NOT EXISTS (SELECT 1 FROM instances i WHERE i.deployment_id = d.id)
  UNION ALL
  SELECT 1, 0, coalesce(r.limits, json_extract(a.spec, '$.limits'))
    FROM runs r JOIN apps a ON a.id = r.app_id JOIN environments e ON e.id = a.environment_id
   WHERE e.project_id = ?1 AND r.status = 'running'
  UNION ALL
  -- Of databases and object stores the larger limit: of the one on record, and of what the container has until the engine
  -- takes that one. Two records of one volume never run at once.
  SELECT 1, 0, json_object('memory_bytes', max(${largerLimit('memory_bytes')}), 'cpu', max(${largerLimit('cpu')}), 'pids', ?2)
    FROM databases WHERE project_id = ?1 AND (deleted_at IS NULL OR container_id IS NOT NULL) GROUP BY volume
  UNION ALL
  SELECT 1, 0, json_object('memory_bytes', ${largerLimit('memory_bytes')}, 'cpu', ${largerLimit('cpu')}, 'pids', ?2)
    FROM object_stores WHERE project_id = ?1 AND kind = 'managed' AND (deleted_at IS NULL OR container_id IS NOT NULL)`;

const COUNTS = select({
  volumes: sql.integer("(SELECT count(*) FROM volumes WHERE project_id = ?1 AND state <> 'trash')"),
  databases: sql.integer(
    `(SELECT count(*) FROM databases WHERE project_id = ?1 AND deleted_at IS NULL AND state <> 'hidden') +
       (SELECT count(*) FROM object_stores WHERE project_id = ?1 AND kind = 'managed' AND deleted_at IS NULL)`,
  ),
  service_volumes: sql.integer(
    `(SELECT count(DISTINCT volume) FROM databases WHERE project_id = ?1) +
       (SELECT count(*) FROM object_stores WHERE project_id = ?1 AND kind = 'managed')`,
  ),
});

/**
 * Returns the resources that a project uses or has reserved.
 * @param servicePids process limit that each database and object store uses
 */
export function usedBy(db: Reader, projectId: number, servicePids: number): Use {
  const [sums] = db.all(SUMS.from(`(${CONTAINERS})`), projectId, servicePids);
  const [counts] = db.all(COUNTS.alone, projectId);
  if (sums === undefined || counts === undefined)
    throw new Error('The resource usage of a project could not be read from the database.');
  // Sums of fractions such as 0.1 CPU have rounding errors. Without rounding, the sum could exceed the quota.
  return { ...sums, cpu: Math.round(sums.cpu * 1e6) / 1e6, ...counts };
}
