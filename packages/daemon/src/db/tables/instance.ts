import { columnsOf, pick, type Row, required, select, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';

const i = columnsOf('instances', 'i');
const COLUMNS = {
  ...pick(
    i,
    'id, app_id, deployment_id, environment_id, node, ordinal, name, address, container_id, role, kept, observed, restarts, started_at, drain_until, limits_pending',
  ),
  limits: required(i.limits),
};
const INSTANCE = select(COLUMNS);
const RETIRING = select({ ...COLUMNS, revision: columnsOf('deployments', 'd').revision });
const ADDRESS = select({ address: sql.text('address') });
const ID = select({ id: i.id });
const READY = select({
  app: columnsOf('apps', 'a').name,
  app_id: i.app_id,
  environment: columnsOf('environments', 'e').slug,
  environment_id: columnsOf('environments', 'e').id,
  project: columnsOf('projects', 'p').slug,
  address: i.address,
});

export type InstanceRow = Row<typeof INSTANCE>;

/**
 * Role of a replica. `starting` and `draining` replicas get no new requests. `gone` replicas have no container, but
 * HAProxy may still use the IP address of the removed container.
 */
export type InstanceRole = InstanceRow['role'];

/** Last observed state of the replica's Docker container. */
export type Observed = InstanceRow['observed'];

export function instancesOfApp(db: Reader, appId: number): InstanceRow[] {
  return db.all(INSTANCE.from('instances i WHERE app_id = ? ORDER BY id'), appId);
}

export function instancesOfDeployment(db: Reader, deploymentId: number): InstanceRow[] {
  return db.all(INSTANCE.from('instances i WHERE deployment_id = ? ORDER BY ordinal'), deploymentId);
}

export function allInstances(db: Reader): InstanceRow[] {
  return db.all(INSTANCE.from('instances i ORDER BY id'));
}

/** Returns the ids of all active and draining replicas. */
export function activatedInstances(db: Reader): Set<number> {
  return new Set(db.all(ID.from("instances i WHERE i.role IN ('active', 'draining')")).map(({ id }) => id));
}

export function instancesInRole(db: Reader, role: InstanceRole): InstanceRow[] {
  return db.all(INSTANCE.from('instances i WHERE role = ? ORDER BY id'), role);
}

/**
 * Returns all used IP addresses of an environment. The addresses of removed replicas are included if HAProxy may still
 * use them.
 */
export function takenAddresses(db: Reader, environmentId: number): string[] {
  return db
    .all(
      /*
       * The newest replica is the last row. The search for a free IP address continues after the address of this
       * replica.
       */
      ADDRESS.from(`(
         SELECT 0 AS kind, id, address FROM databases WHERE environment_id = ?1 AND address IS NOT NULL
         UNION ALL SELECT 0, id, address FROM object_stores WHERE environment_id = ?1 AND address IS NOT NULL
         UNION ALL SELECT 1, id, address FROM instances WHERE environment_id = ?1)
       ORDER BY kind, id`),
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
  /** CPU, memory and process limits of the new container, as JSON. */
  limits: string;
}

export function insertInstance(tx: Tx, instance: NewInstance): void {
  insert(tx, 'instances', {
    app_id: instance.appId,
    deployment_id: instance.deploymentId,
    environment_id: instance.environmentId,
    ordinal: instance.ordinal,
    name: instance.name,
    address: instance.address,
    limits: instance.limits,
    role: 'starting',
  });
}

export function setContainer(tx: Tx, id: number, containerId: string): void {
  update(tx, 'instances', id, { container_id: containerId });
}

/**
 * Records the new container of a replica whose old container disappeared.
 * @returns `false` if nothing was recorded, because the replica is no longer active
 */
export function replaceContainer(tx: Tx, id: number, containerId: string): boolean {
  // `kept = 0` means that the new container has no Docker restart policy yet.
  const set = "UPDATE instances SET container_id = ?, kept = 0 WHERE id = ? AND role = 'active'";
  return tx.run(set, containerId, id).changes > 0;
}

/**
 * Changes the IP address of a replica. The address must change if the Docker network of the old address was removed.
 */
export function setAddress(tx: Tx, id: number, address: string): void {
  update(tx, 'instances', id, { address });
}

/**
 * Changes the role of replicas whose current role is `from`.
 * @param drainUntil deadline for open requests, in milliseconds since the epoch
 * @returns the number of changed replicas
 */
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
  update(tx, 'instances', id, { observed: seen.observed, restarts: seen.restarts, started_at: seen.startedAt });
}

export function setKept(tx: Tx, id: number): void {
  update(tx, 'instances', id, { kept: 1 });
}

/**
 * Deletes a replica. Call this function only after the container was removed and HAProxy no longer uses the IP address.
 * A new replica may get the same address.
 */
export function deleteInstance(tx: Tx, id: number): void {
  tx.run('DELETE FROM instances WHERE id = ?', id);
}

/**
 * Returns the IP addresses of all active replicas, with the names of app, environment and project. The DNS names of
 * apps resolve to these addresses.
 */
export function readyAddresses(db: Reader): Row<typeof READY>[] {
  return db.all(
    READY.from(`instances i JOIN apps a ON a.id = i.app_id JOIN environments e ON e.id = a.environment_id
       JOIN projects p ON p.id = e.project_id
      WHERE i.role = 'active' AND a.deleted_at IS NULL ORDER BY i.id`),
  );
}

/**
 * Returns the draining replicas that Davit must remove. Replicas of the live deployment are included only if the app is
 * stopped.
 */
export function retiringInstances(db: Reader): Row<typeof RETIRING>[] {
  return db.all(
    RETIRING.from(
      `instances i JOIN apps a ON a.id = i.app_id JOIN deployments d ON d.id = i.deployment_id
        WHERE i.role = 'draining' AND (i.deployment_id IS NOT a.live_deployment OR a.stopped = 1) ORDER BY i.id`,
    ),
  );
}
