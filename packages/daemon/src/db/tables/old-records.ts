/** What is beyond the numbers of deployments and revisions that are kept of each app. */
import { selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';

const ID = selectFrom('deployments', 'id');

/**
 * The deployments but the newest so many, oldest first.
 * @param after only those with a greater number
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

/** Removes records of an app with their steps: nothing of them may be left at the engine or in the proxy's file. */
export function forgetDeployments(tx: Tx, appId: number, ids: readonly number[]): void {
  for (const id of ids) tx.run('DELETE FROM deployments WHERE id = ? AND app_id = ?', id, appId);
  if (ids.length > 0) tx.event({ kind: 'app', appId, data: { change: 'deployments' } });
}

/** Forgets all but the newest so many, and but those that a deployment names: it can be gone back to. */
export function pruneRevisions(tx: Tx, appId: number, kept: number): number {
  return tx.run(
    `DELETE FROM revisions WHERE app_id = ?1 AND number <= (SELECT revision FROM apps WHERE id = ?1) - ?2
       AND number NOT IN (SELECT revision FROM deployments WHERE app_id = ?1)`,
    appId,
    kept,
  ).changes;
}

/** Whether there are revisions beyond the newest so many. */
export function hasOldRevisions(db: Reader, appId: number, kept: number): boolean {
  const sql = `SELECT 1 FROM revisions WHERE app_id = ?1
    AND number <= (SELECT revision FROM apps WHERE id = ?1) - ?2 LIMIT 1`;
  return db.exists(sql, appId, kept);
}
