/**
 * CPU, memory and process limits that Davit reserves for each replica (container) of an app. The reserved limits are
 * part of a project's quota use, so a container must never have higher limits.
 */
import type { AppLimits } from '@davit/api';
import { columnsOf, required, select } from './select.ts';
import type { Reader, Tx } from './store.ts';
import { UNFINISHED } from './tables/deployment.ts';
import { type InstanceRow, instancesOfApp } from './tables/instance.ts';
import { update } from './write.ts';

const LIMITS = select({ limits: required(columnsOf('instances').limits) });
const APP_ID = select({ id: columnsOf('apps', 'a').id });

export function limitsOf({ limits }: Pick<InstanceRow, 'limits'>): AppLimits {
  // The JSON needs no validation, because only the daemon writes the column `limits`.
  return JSON.parse(limits) as AppLimits;
}

/**
 * Returns the starting and active replicas of an app. If a user changes the limits of the app, the limits of these
 * replicas change too.
 */
export function limitedInstances(db: Reader, appId: number): InstanceRow[] {
  return instancesOfApp(db, appId).filter(({ role }) => role === 'starting' || role === 'active');
}

/**
 * Increases the reserved limits of replicas. Limits that are already higher stay unchanged. Call this function before
 * Docker increases the limits of the containers.
 */
export function raiseLimits(tx: Tx, rows: readonly InstanceRow[], limits: AppLimits): void {
  for (const row of rows) {
    const reserved = JSON.stringify(larger(limitsOf(row), limits));
    const sql = 'UPDATE instances SET limits = ?1, limits_pending = 1 WHERE id = ?2 AND limits <> ?1';
    tx.run(sql, reserved, row.id);
  }
}

/**
 * Marks the limits of replicas as pending until Docker confirms the new limits. Call this function before Davit changes
 * the containers.
 */
export function expectLimits(tx: Tx, ids: readonly number[]): void {
  for (const id of ids) update(tx, 'instances', id, { limits_pending: 1 });
}

/**
 * Reduces the reserved limits of a replica after Docker has changed the limits of its container. Does nothing if the
 * replica has a new container.
 */
export function confirmLimits(
  tx: Tx,
  { id, container_id }: InstanceRow,
  { given, wanted }: { given: AppLimits; wanted: AppLimits },
): void {
  const row = tx.get(LIMITS.from('instances WHERE id = ? AND container_id = ?'), id, container_id);
  if (row === undefined) return;
  // Reserved limits must not become lower than `wanted`. A user may have raised the limits of the app in the meantime.
  const reserved = smaller(limitsOf(row), larger(given, wanted));
  const update = 'UPDATE instances SET limits = ?, limits_pending = ? WHERE id = ?';
  tx.run(update, JSON.stringify(reserved), isSame(reserved, given) ? 0 : 1, id);
}

/**
 * Returns the ids of apps whose active replicas have outdated or unconfirmed limits. Apps with an unfinished deployment
 * are omitted, because the deployment replaces their replicas.
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

/** Returns the larger limit of `a` and `b`, separately for CPU, memory and processes. `null` means unlimited. */
export function larger(a: AppLimits, b: AppLimits): AppLimits {
  return combined(a, b, Math.max);
}

/** Returns the smaller limit of `a` and `b`, separately for CPU, memory and processes. `null` means unlimited. */
export function smaller(a: AppLimits, b: AppLimits): AppLimits {
  return combined(a, b, Math.min);
}

/** Returns whether each limit in `a` (CPU, memory, processes) is at least as high as the same limit in `b`. */
export function covers(a: AppLimits, b: AppLimits): boolean {
  return isSame(larger(a, b), a);
}

export function isSame(a: AppLimits, b: AppLimits): boolean {
  return a.cpu === b.cpu && a.memory_bytes === b.memory_bytes && a.pids === b.pids;
}

function combined(a: AppLimits, b: AppLimits, choose: (a: number, b: number) => number): AppLimits {
  // `null` means unlimited, so a limit of `null` is compared as infinity.
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
