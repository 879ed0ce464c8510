import type { Domain } from '@davit/api';
import type { Reader, Tx } from './store.ts';

export interface RouteRow {
  /** The number of its backend at the proxy. */
  slot: number;
  app_id: number;
  /** Null: the app's own. */
  port: number | null;
  protocol: Domain['protocol'];
}

/** A route with what its default host and its reader need. */
export interface AppRouteRow extends RouteRow {
  app: string;
  environment: string;
  project: string;
  /** 1: the app's settings say that it has no port. */
  worker: number;
}

const COLUMNS = 'r.slot, r.app_id, r.port, r.protocol';

/** An app keeps its numbers for life: a backend must not become another app's while anything still goes to it. */
export function slotFor(tx: Tx, appId: number, port: number | null, protocol: Domain['protocol']): number {
  const existing = tx.get<RouteRow>(
    `SELECT ${COLUMNS} FROM routes r WHERE r.app_id = ? AND coalesce(r.port, 0) = ? AND r.protocol = ?`,
    appId,
    port ?? 0,
    protocol,
  );
  if (existing) return existing.slot;
  const slot = lowestFreeSlot(tx);
  tx.run('INSERT INTO routes (slot, app_id, port, protocol) VALUES (?, ?, ?, ?)', slot, appId, port, protocol);
  return slot;
}

function lowestFreeSlot(db: Reader): number {
  const row = db.get<{ slot: number }>(
    `SELECT slot + 1 AS slot FROM (SELECT 0 AS slot UNION ALL SELECT slot FROM routes) AS used
     WHERE NOT EXISTS (SELECT 1 FROM routes r WHERE r.slot = used.slot + 1) LIMIT 1`,
  );
  return row?.slot ?? 1;
}

/** Every route of the apps that are not deleted, by number. */
export function allAppRoutes(db: Reader): AppRouteRow[] {
  return db.all(
    `SELECT ${COLUMNS}, a.name AS app, e.slug AS environment, p.slug AS project,
       coalesce(json_type(a.spec, '$.port') = 'null', 0) AS worker
     FROM routes r JOIN apps a ON a.id = r.app_id AND a.deleted_at IS NULL
       JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id
     ORDER BY r.slot`,
  );
}

/** An instance that traffic goes to, or went to. */
export interface TrafficRow {
  id: number;
  app_id: number;
  address: string;
  role: 'active' | 'draining';
  /** What its release listens on; null for a worker. */
  port: number | null;
}

export function instancesWithTraffic(db: Reader): TrafficRow[] {
  return db.all(
    `SELECT i.id, i.app_id, i.address, i.role, d.port FROM instances i JOIN deployments d ON d.id = i.deployment_id
     WHERE i.role IN ('active', 'draining') ORDER BY i.id`,
  );
}

/** The numbers of an app's backends. */
export function slotsOfApp(db: Reader, appId: number): number[] {
  return db
    .all<{ slot: number }>('SELECT slot FROM routes WHERE app_id = ? ORDER BY slot', appId)
    .map(({ slot }) => slot);
}
