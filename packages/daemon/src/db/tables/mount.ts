import { columnsOf, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { update } from '../write.ts';
import { UNFINISHED } from './deployment.ts';

/**
 * Volumes and published ports of a deployment's containers. Davit stores both separately from the settings of the app.
 */
export interface Mounts {
  volumes: { name: string; path: string }[];
  tcpPorts: { hostPort: number; containerPort: number }[];
}

const MOUNTS = selectFrom('deployments', 'mounts');
const VOLUME = select({ name: sql.text("v.value ->> 'name'"), path: sql.text("v.value ->> 'path'") });
const APP_ID = select({ app_id: columnsOf('runs', 'h').app_id });

/**
 * Returns the volumes and published ports of a deployment. Returns `null` if Davit has not chosen the volumes and ports
 * yet.
 */
export function mountsOfDeployment(db: Reader, deploymentId: number): Mounts | null {
  const row = db.get(MOUNTS.from('deployments WHERE id = ?'), deploymentId);
  // The JSON needs no validation, because only `setMounts` writes the column `mounts`.
  return row?.mounts ? (JSON.parse(row.mounts) as Mounts) : null;
}

export function setMounts(tx: Tx, deploymentId: number, mounts: Mounts): void {
  update(tx, 'deployments', deploymentId, { mounts: JSON.stringify(mounts) });
}

/**
 * Returns the volumes of a deployment that still belong to its app. Other volumes of the deployment were removed or now
 * belong to another app, so they must not be mounted.
 */
export function volumesOfDeployment(db: Reader, deploymentId: number): Mounts['volumes'] {
  return db.all(
    VOLUME.from(
      `deployments d, json_each(d.mounts, '$.volumes') v JOIN volumes own ON own.name = v.value ->> 'name'
        WHERE d.id = ? AND own.app_id = d.app_id ORDER BY path`,
    ),
    deploymentId,
  );
}

/**
 * Returns the ids of the apps whose containers use a Docker volume, or will use it soon. Includes apps with draining
 * replicas, unfinished deployments or running commands.
 */
export function appsHolding(db: Reader, volumeName: string): number[] {
  const rows = db.all(
    APP_ID.from(`(SELECT d.app_id FROM deployments d, json_each(d.mounts, '$.volumes') v
      WHERE v.value ->> 'name' = ?1 AND d.id IN (
        SELECT deployment_id FROM instances WHERE role <> 'gone'
        UNION SELECT id FROM deployments WHERE ${UNFINISHED})
      UNION SELECT r.app_id FROM runs r, json_each(r.volumes) v
        WHERE r.status = 'running' AND v.value ->> 'name' = ?1) h`),
    volumeName,
  );
  return rows.map(({ app_id }) => app_id);
}
