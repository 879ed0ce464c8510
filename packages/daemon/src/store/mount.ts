import { UNFINISHED } from './deployment.ts';
import type { Reader, Tx } from './store.ts';

/** What a release's containers are created with, besides what its revision says. */
export interface Mounts {
  volumes: { name: string; path: string }[];
  tcpPorts: { hostPort: number; containerPort: number }[];
}

/** What a deployment was or is being created with; null before that was decided. */
export function mountsOfDeployment(db: Reader, deploymentId: number): Mounts | null {
  const row = db.get<{ mounts: string | null }>('SELECT mounts FROM deployments WHERE id = ?', deploymentId);
  // Written below, and by nobody else.
  return row?.mounts ? (JSON.parse(row.mounts) as Mounts) : null;
}

export function setMounts(tx: Tx, deploymentId: number, mounts: Mounts): void {
  tx.run('UPDATE deployments SET mounts = ? WHERE id = ?', JSON.stringify(mounts), deploymentId);
}

/** The volumes of a deployment that are still its app's: what was removed, or is another's by now, is nothing to mount. */
export function volumesOfDeployment(db: Reader, deploymentId: number): Mounts['volumes'] {
  return db.all(
    `SELECT v.value ->> 'name' AS name, v.value ->> 'path' AS path
       FROM deployments d, json_each(d.mounts, '$.volumes') v JOIN volumes own ON own.name = v.value ->> 'name'
      WHERE d.id = ? AND own.app_id = d.app_id ORDER BY path`,
    deploymentId,
  );
}

/** The apps that have containers with this volume, or are making some: a release that retires counts as well. */
export function appsHolding(db: Reader, volumeName: string): number[] {
  const rows = db.all<{ app_id: number }>(
    `SELECT DISTINCT d.app_id FROM deployments d, json_each(d.mounts, '$.volumes') v
      WHERE v.value ->> 'name' = ?1 AND d.id IN (
        SELECT deployment_id FROM instances WHERE role <> 'gone'
        UNION SELECT id FROM deployments WHERE ${UNFINISHED})`,
    volumeName,
  );
  return rows.map(({ app_id }) => app_id);
}
