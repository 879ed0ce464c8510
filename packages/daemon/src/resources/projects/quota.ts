import { type Quota, type QuotaPatch, QuotaPut, timestamp } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { demandAllProjects, demandPresent, type ProjectTarget } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import { putQuota as putRow, quotaOf } from '../../db/tables/quota.ts';
import { NO_QUOTA, useOf } from '../../quotas/quota.ts';
import type { ProjectsDeps } from './deps.ts';

/**
 * Part of an error message for users who are limited to some projects. These users must not change the quotas of their
 * own projects.
 */
const WHAT = 'change a quota';

export function readQuota({ store }: ProjectsDeps, _ctx: OpContext, { id }: ProjectTarget): Quota {
  const row = quotaOf(store, id);
  const { service_volumes: _, ...use } = useOf(store, id);
  return {
    ...limitsOf(store, id),
    used: { ...use, disk_bytes: row?.disk_used ?? null },
    disk_measured_at: timestamp(row?.disk_measured_at ?? null),
  };
}

/**
 * Sets the quota of a project.
 * @throws DavitError forbidden for a user who is limited to some projects; not_found
 */
export function putQuota(core: ProjectsDeps, ctx: OpContext, project: ProjectTarget, quota: QuotaPut): Quota {
  demandAllProjects(ctx.actor, WHAT);
  core.store.tx((tx) => {
    demandPresent(tx, project);
    putRow(tx, project, quota);
  });
  core.nudgeQuotas();
  return readQuota(core, ctx, project);
}

/**
 * Applies a JSON merge patch to a project's quota.
 * @throws DavitError forbidden for a user who is limited to some projects; not_found
 */
export function patchQuota(core: ProjectsDeps, ctx: OpContext, project: ProjectTarget, patch: QuotaPatch): Quota {
  demandAllProjects(ctx.actor, WHAT);
  core.store.tx((tx) => {
    demandPresent(tx, project);
    putRow(tx, project, QuotaPut.parse({ ...limitsOf(tx, project.id), ...patch }));
  });
  core.nudgeQuotas();
  return readQuota(core, ctx, project);
}

function limitsOf(db: Reader, projectId: number): QuotaPut {
  const { replicas, memory_bytes, cpu, pids, volumes, databases, disk_bytes } = quotaOf(db, projectId) ?? NO_QUOTA;
  return { replicas, memory_bytes, cpu, pids, volumes, databases, disk_bytes };
}
