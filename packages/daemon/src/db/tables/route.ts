import type { Domain } from '@davit/api';
import { columnsOf, oneOf, pick, type Row, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert } from '../write.ts';

const r = columnsOf('routes', 'r');
const APP_ROUTE = select({
  ...r,
  app: columnsOf('apps', 'a').name,
  environment: columnsOf('environments', 'e').slug,
  project: columnsOf('projects', 'p').slug,
  /** 1 if the app is a worker. The settings of a worker define no port. */
  worker: sql.integer("coalesce(json_type(a.spec, '$.port') = 'null', 0)"),
});

/** Route from HAProxy to an app. The names of the app, environment and project form the app's default host name. */
export type AppRouteRow = Row<typeof APP_ROUTE>;

const SLOT = selectFrom('routes', 'slot');
const FREE = select({ slot: sql.integer('slot + 1') });
const COUNT = select({ slots: sql.integer('count(*)') });
const i = columnsOf('instances', 'i');
const TRAFFIC = select({
  ...pick(i, 'id, app_id, address'),
  role: oneOf(i.role, 'active', 'draining'),
  port: columnsOf('deployments', 'd').port,
});

/**
 * Returns the number of the HAProxy backend for a port of an app. Davit reserves this number for the app. Otherwise,
 * requests could reach another app.
 */
export function slotFor(tx: Tx, appId: number, port: number | null, protocol: Domain['protocol']): number {
  const existing = tx.get(
    SLOT.from('routes WHERE app_id = ? AND coalesce(port, 0) = ? AND protocol = ?'),
    appId,
    port ?? 0,
    protocol,
  );
  if (existing) return existing.slot;
  const slot = lowestFreeSlot(tx);
  insert(tx, 'routes', { slot, app_id: appId, port, protocol });
  return slot;
}

function lowestFreeSlot(db: Reader): number {
  const row = db.get(
    FREE.from(
      `(SELECT 0 AS slot UNION ALL SELECT slot FROM routes) AS used
        WHERE NOT EXISTS (SELECT 1 FROM routes r WHERE r.slot = used.slot + 1) LIMIT 1`,
    ),
  );
  return row?.slot ?? 1;
}

/** Replica that receives requests, or that still processes open requests. */
export function allAppRoutes(db: Reader): AppRouteRow[] {
  return db.all(
    APP_ROUTE.from(
      `routes r JOIN apps a ON a.id = r.app_id AND a.deleted_at IS NULL
         JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id
       ORDER BY r.slot`,
    ),
  );
}

/** Replica that receives requests, or that still finishes open requests. */
export type RoutedTrafficRow = Row<typeof TRAFFIC>;

export function instancesWithTraffic(db: Reader): RoutedTrafficRow[] {
  return db.all(
    TRAFFIC.from(
      `instances i JOIN deployments d ON d.id = i.deployment_id
        WHERE i.role IN ('active', 'draining') ORDER BY i.id`,
    ),
  );
}

/**
 * Returns the number of HAProxy backends of the app's project. Includes the backends of deleted apps that are not
 * completely removed yet.
 */
export function slotsOfProject(db: Reader, appId: number): number {
  const query = COUNT.from(
    `routes r JOIN apps a ON a.id = r.app_id JOIN environments e ON e.id = a.environment_id WHERE e.project_id =
      (SELECT own.project_id FROM apps o JOIN environments own ON own.id = o.environment_id WHERE o.id = ?)`,
  );
  return db.get(query, appId)?.slots ?? 0;
}

/** Returns the numbers that identify the HAProxy backends of an app. */
export function slotsOfApp(db: Reader, appId: number): number[] {
  return db.all(SLOT.from('routes WHERE app_id = ? ORDER BY slot'), appId).map(({ slot }) => slot);
}
