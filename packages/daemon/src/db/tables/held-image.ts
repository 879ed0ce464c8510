/**
 * Functions for the column `image_held` of deployments. Davit sets this column to 0 before it removes the tag of the
 * image. If the value is 1 and the image is missing, another program removed the image.
 */

import { columnsOf, pick, type Row, select, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { APP_REFERENCE } from './app-reference.ts';

const d = columnsOf('deployments', 'd');
const HELD = select({ ...pick(d, 'id, image_id'), app: APP_REFERENCE });
const MISSING = select({ ...pick(d, 'id, image_id, digest'), app: APP_REFERENCE });
const FROM = `deployments d JOIN apps a ON a.id = d.app_id JOIN environments e ON e.id = a.environment_id
  JOIN projects p ON p.id = e.project_id`;
const APP_ID = selectFrom('deployments', 'app_id');

/** Deployment whose image Davit keeps in Docker, with the name of its app. */
export type HeldRow = Row<typeof HELD>;

/**
 * Returns the deployments whose image Davit keeps in Docker. Omits deployments of deleted apps, because Davit removes
 * the images of these apps soon.
 */
export function heldDeployments(db: Reader): HeldRow[] {
  return db.all(HELD.from(`${FROM} WHERE d.image_held = 1 AND a.deleted_at IS NULL ORDER BY d.id`));
}

/**
 * Records that Docker has the image of a deployment, and that Davit keeps this image. Does nothing if the deployment no
 * longer exists.
 */
export function setHeld(tx: Tx, id: number): void {
  const sql = 'UPDATE deployments SET image_missing_since = NULL WHERE id = ? AND image_missing_since IS NOT NULL';
  if (tx.run(sql, id).changes > 0) publishChange(tx, id);
  tx.run('UPDATE deployments SET image_held = 1 WHERE id = ? AND image_held = 0', id);
}

/**
 * Records that Davit no longer keeps the image of a deployment. Call this function before Davit removes the image tag,
 * because the removal can be interrupted.
 */
export function setReleased(tx: Tx, id: number): void {
  const sql = 'UPDATE deployments SET image_held = 0, image_missing_since = NULL WHERE id = ? AND image_held = 1';
  tx.run(sql, id);
}

/**
 * Records that Docker no longer has the image of a deployment.
 * @param at milliseconds since the epoch
 * @returns `true` if the missing image was not recorded before
 */
export function setMissing(tx: Tx, id: number, at: number): boolean {
  const sql = `UPDATE deployments SET image_missing_since = ?
    WHERE id = ? AND image_held = 1 AND image_missing_since IS NULL AND status = 'succeeded'`;
  const isNew = tx.run(sql, at, id).changes > 0;
  if (isNew) publishChange(tx, id);
  return isNew;
}

function publishChange(tx: Tx, id: number): void {
  const app = tx.get(APP_ID.from('deployments WHERE id = ?'), id);
  if (app !== undefined) tx.event({ kind: 'app', appId: app.app_id, data: { change: 'deployments' } });
}

/** Deployment whose image is missing in Docker, with the name of its app. */
export type MissingRow = Row<typeof MISSING>;

/**
 * Returns the deployments whose image is missing in Docker, sorted by app and id.
 * @param projects ids of the projects, or `null` for all projects
 */
export function missingImages(db: Reader, projects: readonly number[] | null): MissingRow[] {
  return db.all(
    MISSING.from(
      `${FROM} WHERE d.image_missing_since IS NOT NULL AND a.deleted_at IS NULL
        AND (?1 IS NULL OR p.id IN (SELECT value FROM json_each(?1))) ORDER BY app, d.id`,
    ),
    projects === null ? null : JSON.stringify(projects),
  );
}
