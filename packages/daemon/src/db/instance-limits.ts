/**
 * The limits that are reserved for the containers of replicas. Quotas count the reserved limits, so they are never
 * lower than the limits of a container. Davit raises the reserved limits before it changes a container at the engine,
 * and lowers them after the engine has confirmed the change.
 */
import type { AppLimits } from '@davit/api';
import { columnsOf, required, select } from './select.ts';
import type { Reader, Tx } from './store.ts';
import { UNFINISHED } from './tables/deployment.ts';
import { type InstanceRow, instancesOfApp } from './tables/instance.ts';
import { update } from './write.ts';

const LIMITS = select({ limits: required(columnsOf('instances').limits) });
const APP_ID = select({ id: columnsOf('apps', 'a').id });

/** Returns the limits that are reserved for a replica. */
export function limitsOf({ limits }: Pick<InstanceRow, 'limits'>): AppLimits {
  // Only the daemon writes the column.
  return JSON.parse(limits) as AppLimits;
}

/**
 * Returns the replicas of an app that get new limits: the active replicas and the replicas of a deployment in progress.
 */
export function limitedInstances(db: Reader, appId: number): InstanceRow[] {
  return instancesOfApp(db, appId).filter(({ role }) => role === 'starting' || role === 'active');
}

/** Reserves limits for replicas. Each value becomes the larger of the new and the already reserved value. */
export function raiseLimits(tx: Tx, rows: readonly InstanceRow[], limits: AppLimits): void {
  for (const row of rows) {
    const reserved = JSON.stringify(larger(limitsOf(row), limits));
    const sql = 'UPDATE instances SET limits = ?1, limits_pending = 1 WHERE id = ?2 AND limits <> ?1';
    tx.run(sql, reserved, row.id);
  }
}

/**
 * Records that Davit changes the limits of the containers of replicas. Until the engine confirms the change, the old or
 * the new limits may apply.
 */
export function expectLimits(tx: Tx, ids: readonly number[]): void {
  for (const id of ids) update(tx, 'instances', id, { limits_pending: 1 });
}

/**
 * Records the limits that the engine has applied to a container.
 * @param wanted present limits of the app; if they have changed in the meantime, their reservation stays
 */
export function confirmLimits(
  tx: Tx,
  { id, container_id }: InstanceRow,
  { given, wanted }: { given: AppLimits; wanted: AppLimits },
): void {
  const row = tx.get(LIMITS.from('instances WHERE id = ? AND container_id = ?'), id, container_id);
  if (row === undefined) return;
  const reserved = smaller(limitsOf(row), larger(given, wanted));
  const update = 'UPDATE instances SET limits = ?, limits_pending = ? WHERE id = ?';
  tx.run(update, JSON.stringify(reserved), isSame(reserved, given) ? 0 : 1, id);
}

/**
 * Returns the apps with replicas whose limits differ from the app's limits, unless a pending deployment will replace
 * these replicas.
 */
export function appsWithOtherLimits(db: Reader): number[] {
  const differs = ['cpu', 'memory_bytes', 'pids'].map(
    (name) => `json_extract(i.limits, '$.${name}') IS NOT json_extract(a.spec, '$.limits.${name}')`,
  );
  const rows = db.all(
    APP_ID.distinctFrom(`instances i JOIN apps a ON a.id = i.app_id
      WHERE i.role = 'active' AND a.deleted_at IS NULL AND (i.limits_pending = 1 OR ${differs.join(' OR ')})
        AND NOT EXISTS (SELECT 1 FROM deployments d WHERE d.app_id = a.id AND d.${UNFINISHED}) ORDER BY a.id`),
  );
  return rows.map(({ id }) => id);
}

/** Returns the larger value of each limit. */
export function larger(a: AppLimits, b: AppLimits): AppLimits {
  return combined(a, b, Math.max);
}

/** Returns the smaller value of each limit. */
export function smaller(a: AppLimits, b: AppLimits): AppLimits {
  return combined(a, b, Math.min);
}

/** Returns whether each limit of `a` is at least as large as the limit of `b`. */
export function covers(a: AppLimits, b: AppLimits): boolean {
  return isSame(larger(a, b), a);
}

export function isSame(a: AppLimits, b: AppLimits): boolean {
  return a.cpu === b.cpu && a.memory_bytes === b.memory_bytes && a.pids === b.pids;
}

function combined(a: AppLimits, b: AppLimits, choose: (a: number, b: number) => number): AppLimits {
  // `null` means that there is no limit.
  const chosen = (one: number | null, other: number | null) => {
    const value = choose(one ?? Number.POSITIVE_INFINITY, other ?? Number.POSITIVE_INFINITY);
    return value === Number.POSITIVE_INFINITY ? null : value;
  };
  return {
    cpu: chosen(a.cpu, b.cpu),
    memory_bytes: chosen(a.memory_bytes, b.memory_bytes),
    pids: choose(a.pids, b.pids),
  };
}
