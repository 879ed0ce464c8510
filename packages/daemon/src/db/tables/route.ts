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
  /** 1: the settings of the app say that it has no port. */
  worker: sql.integer("coalesce(json_type(a.spec, '$.port') = 'null', 0)"),
});

/** A route with what its default host and its reader need. */
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

/** An app keeps its numbers for life: a backend must not become another app's while anything still goes to it. */
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

/** Every route of the apps that are not deleted, by number. */
export function allAppRoutes(db: Reader): AppRouteRow[] {
  return db.all(
    APP_ROUTE.from(
      `routes r JOIN apps a ON a.id = r.app_id AND a.deleted_at IS NULL
         JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id
       ORDER BY r.slot`,
    ),
  );
}

/** An instance that traffic goes to, or went to. */
export type RoutedTrafficRow = Row<typeof TRAFFIC>;

export function instancesWithTraffic(db: Reader): RoutedTrafficRow[] {
  return db.all(
    TRAFFIC.from(
      `instances i JOIN deployments d ON d.id = i.deployment_id
        WHERE i.role IN ('active', 'draining') ORDER BY i.id`,
    ),
  );
}

/** How many numbers the apps of an app's project have. Deleted apps keep theirs until nothing is left of them. */
export function slotsOfProject(db: Reader, appId: number): number {
  const query = COUNT.from(
    `routes r JOIN apps a ON a.id = r.app_id JOIN environments e ON e.id = a.environment_id WHERE e.project_id =
      (SELECT own.project_id FROM apps o JOIN environments own ON own.id = o.environment_id WHERE o.id = ?)`,
  );
  return db.get(query, appId)?.slots ?? 0;
}

/** The numbers of an app's backends. */
export function slotsOfApp(db: Reader, appId: number): number[] {
  return db.all(SLOT.from('routes WHERE app_id = ? ORDER BY slot'), appId).map(({ slot }) => slot);
}
