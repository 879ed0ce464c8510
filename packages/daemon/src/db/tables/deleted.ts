import { columnsOf, type Row, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { APP_REFERENCE } from './app-reference.ts';

const APP = select({ id: columnsOf('apps', 'a').id, reference: APP_REFERENCE });
const ENVIRONMENT = selectFrom('environments', 'id');
const PROJECT = select({ id: sql.integer('id') });

/**
 * Returns the ids of projects with resources that Davit still has to remove. Such a project is marked as deleted, or
 * contains an environment or app that is marked as deleted.
 */
export function projectsWithDeleted(db: Reader): number[] {
  const query = PROJECT.from(
    `(SELECT id FROM projects WHERE deleted_at IS NOT NULL
       UNION SELECT project_id FROM environments WHERE deleted_at IS NOT NULL
       UNION SELECT e.project_id FROM apps a JOIN environments e ON e.id = a.environment_id
              WHERE a.deleted_at IS NOT NULL)`,
  );
  return db.all(query).map(({ id }) => id);
}

/**
 * Returns the apps of a project that are marked as deleted. Davit still has to remove the containers and rows of these
 * apps.
 */
export function deletedApps(db: Reader, projectId: number): Row<typeof APP>[] {
  return db.all(
    APP.from(
      `apps a JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id
        WHERE a.deleted_at IS NOT NULL AND p.id = ? ORDER BY a.id`,
    ),
    projectId,
  );
}

export function forgetApp(tx: Tx, id: number): void {
  tx.run('DELETE FROM apps WHERE id = ?', id);
}

/**
 * Returns the ids of a project's environments that are marked as deleted and are empty. An environment with an app or
 * an object store is not empty.
 */
export function emptyDeletedEnvironments(db: Reader, projectId: number): number[] {
  const rows = db.all(
    ENVIRONMENT.from(
      `environments
        WHERE deleted_at IS NOT NULL AND project_id = ? AND id NOT IN (SELECT environment_id FROM apps)
          AND NOT EXISTS (SELECT 1 FROM object_stores s WHERE s.environment_id = environments.id)`,
    ),
    projectId,
  );
  return rows.map(({ id }) => id);
}

export function forgetEnvironment(tx: Tx, id: number): void {
  tx.run('DELETE FROM environments WHERE id = ?', id);
}

/**
 * Deletes the row of a project, if the project is marked as deleted and contains no environments and no object stores.
 */
export function forgetEmptyProject(tx: Tx, id: number): void {
  tx.run(
    `DELETE FROM projects WHERE id = ?1 AND deleted_at IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM environments WHERE project_id = ?1)
       AND NOT EXISTS (SELECT 1 FROM object_stores WHERE project_id = ?1)`,
    id,
  );
}
