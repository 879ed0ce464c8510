/** Deletes deployments and revisions of apps that exceed the retention limits. */
import { selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';

const ID = selectFrom('deployments', 'id');

/**
 * Returns the ids of an app's deployments, oldest first. Omits the newest `kept` deployments.
 * @param after only deployments with a higher id are returned
 */
export function deploymentsBeyond(
  db: Reader,
  appId: number,
  kept: number,
  { after, limit }: { after: number; limit: number },
): number[] {
  const newest = db.get(ID.from('deployments WHERE app_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?'), appId, kept);
  if (newest === undefined) return [];
  const query = ID.from('deployments WHERE app_id = ? AND id <= ? AND id > ? ORDER BY id LIMIT ?');
  return db.all(query, appId, newest.id, after, limit).map(({ id }) => id);
}

/**
 * Deletes deployments of an app with their steps. Call this function only after all containers of the deployments are
 * removed from Docker and from the HAProxy configuration.
 */
export function forgetDeployments(tx: Tx, appId: number, ids: readonly number[]): void {
  for (const id of ids) tx.run('DELETE FROM deployments WHERE id = ? AND app_id = ?', id, appId);
  if (ids.length > 0) tx.event({ kind: 'app', appId, data: { change: 'deployments' } });
}

/**
 * Deletes the revisions of an app, except for the newest `kept` revisions. Revisions of stored deployments are kept
 * too, because users can roll back to these deployments.
 * @returns the number of deleted revisions
 */
export function pruneRevisions(tx: Tx, appId: number, kept: number): number {
  return tx.run(
    `DELETE FROM revisions WHERE app_id = ?1 AND number <= (SELECT revision FROM apps WHERE id = ?1) - ?2
       AND number NOT IN (SELECT revision FROM deployments WHERE app_id = ?1)`,
    appId,
    kept,
  ).changes;
}

export function hasOldRevisions(db: Reader, appId: number, kept: number): boolean {
  const sql = `SELECT 1 FROM revisions WHERE app_id = ?1
    AND number <= (SELECT revision FROM apps WHERE id = ?1) - ?2 LIMIT 1`;
  return db.exists(sql, appId, kept);
}
