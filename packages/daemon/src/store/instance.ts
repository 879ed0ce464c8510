import type { Reader, Tx } from './store.ts';

/**
 * `starting`: being created and checked, no traffic. `active`: should serve. `draining`: retiring; gets no new request.
 * `gone`: nothing of it is left but its address, which is freed once the proxy's file has forgotten it.
 */
export type InstanceRole = 'starting' | 'active' | 'draining' | 'gone';

/** What was last seen of it at the engine. */
export type Observed = 'unknown' | 'running' | 'down';

export interface InstanceRow {
  id: number;
  app_id: number;
  deployment_id: number;
  environment_id: number;
  node: string;
  ordinal: number;
  name: string;
  address: string;
  container_id: string | null;
  role: InstanceRole;
  /** The engine restarts it by itself. */
  kept: number;
  observed: Observed;
  restarts: number;
  started_at: number | null;
  /** Until when its sessions may end by themselves, once it drains. */
  drain_until: number | null;
}

const COLUMNS =
  'id, app_id, deployment_id, environment_id, node, ordinal, name, address, container_id, role, kept, observed, restarts, started_at, drain_until';

export function instancesOfApp(db: Reader, appId: number): InstanceRow[] {
  return db.all(`SELECT ${COLUMNS} FROM instances WHERE app_id = ? ORDER BY id`, appId);
}

export function instancesOfDeployment(db: Reader, deploymentId: number): InstanceRow[] {
  return db.all(`SELECT ${COLUMNS} FROM instances WHERE deployment_id = ? ORDER BY ordinal`, deploymentId);
}

export function allInstances(db: Reader): InstanceRow[] {
  return db.all(`SELECT ${COLUMNS} FROM instances ORDER BY id`);
}

export function instancesInRole(db: Reader, role: InstanceRole): InstanceRow[] {
  return db.all(`SELECT ${COLUMNS} FROM instances WHERE role = ? ORDER BY id`, role);
}

/** Every address of an environment that is taken, by databases and stores too; retired but not yet forgotten ones included. */
export function takenAddresses(db: Reader, environmentId: number): string[] {
  return db
    .all<{ address: string }>(
      // Those of instances last: where the search for the next one begins.
      `SELECT address FROM (
         SELECT 0 AS kind, id, address FROM databases WHERE environment_id = ?1 AND address IS NOT NULL
         UNION ALL SELECT 0, id, address FROM object_stores WHERE environment_id = ?1 AND address IS NOT NULL
         UNION ALL SELECT 1, id, address FROM instances WHERE environment_id = ?1)
       ORDER BY kind, id`,
      environmentId,
    )
    .map((row) => row.address);
}

export interface NewInstance {
  appId: number;
  deploymentId: number;
  environmentId: number;
  ordinal: number;
  name: string;
  address: string;
}

export function insertInstance(tx: Tx, instance: NewInstance): void {
  tx.run(
    "INSERT INTO instances (app_id, deployment_id, environment_id, ordinal, name, address, role) VALUES (?, ?, ?, ?, ?, ?, 'starting')",
    instance.appId,
    instance.deploymentId,
    instance.environmentId,
    instance.ordinal,
    instance.name,
    instance.address,
  );
}

export function setContainer(tx: Tx, id: number, containerId: string): void {
  tx.run('UPDATE instances SET container_id = ? WHERE id = ?', containerId, id);
}

/** Moves instances between roles, only those that are in `from`: answers how many moved. */
export function moveInstances(
  tx: Tx,
  ids: number[],
  from: InstanceRole,
  to: InstanceRole,
  drainUntil: number | null = null,
): number {
  let moved = 0;
  for (const id of ids) {
    moved += tx.run(
      'UPDATE instances SET role = ?, drain_until = ? WHERE id = ? AND role = ?',
      to,
      drainUntil,
      id,
      from,
    ).changes;
  }
  return moved;
}

export function setObserved(
  tx: Tx,
  id: number,
  seen: { observed: Observed; restarts: number; startedAt: number | null },
): void {
  tx.run(
    'UPDATE instances SET observed = ?, restarts = ?, started_at = ? WHERE id = ?',
    seen.observed,
    seen.restarts,
    seen.startedAt,
    id,
  );
}

export function setKept(tx: Tx, id: number): void {
  tx.run('UPDATE instances SET kept = 1 WHERE id = ?', id);
}

/** Frees the address: only when neither the engine nor the proxy's file knows the instance any more. */
export function deleteInstance(tx: Tx, id: number): void {
  tx.run('DELETE FROM instances WHERE id = ?', id);
}

/** The addresses of every instance that is ready, with what it belongs to. */
export function readyAddresses(db: Reader): { app: string; environment: string; project: string; address: string }[] {
  return db.all(
    `SELECT a.name AS app, e.slug AS environment, p.slug AS project, i.address
       FROM instances i JOIN apps a ON a.id = i.app_id JOIN environments e ON e.id = a.environment_id
       JOIN projects p ON p.id = e.project_id
      WHERE i.role = 'active' AND a.deleted_at IS NULL ORDER BY i.id`,
  );
}

/** Retiring instances, with their release's revision; those of the live release only where the app is stopped. */
export function retiringInstances(db: Reader): (InstanceRow & { revision: number })[] {
  const columns = COLUMNS.split(', ')
    .map((column) => `i.${column}`)
    .join(', ');
  return db.all(
    `SELECT ${columns}, d.revision FROM instances i JOIN apps a ON a.id = i.app_id JOIN deployments d ON d.id = i.deployment_id
      WHERE i.role = 'draining' AND (i.deployment_id IS NOT a.live_deployment OR a.stopped = 1) ORDER BY i.id`,
  );
}
