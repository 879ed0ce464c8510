import { appReference } from '@davit/api';
import type { Reader, Tx } from './store.ts';

/** What is marked deleted and still has to be taken down. */
export function deletedApps(db: Reader): { id: number; reference: string }[] {
  const rows = db.all<{ id: number; project: string; environment: string; name: string }>(
    `SELECT a.id, p.slug AS project, e.slug AS environment, a.name
       FROM apps a JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id
      WHERE a.deleted_at IS NOT NULL ORDER BY a.id`,
  );
  return rows.map((row) => ({ id: row.id, reference: appReference(row.project, row.environment, row.name) }));
}

export function forgetApp(tx: Tx, id: number): void {
  tx.run('DELETE FROM apps WHERE id = ?', id);
}

/** Environments marked deleted in which nothing is left. */
export function emptyDeletedEnvironments(db: Reader): number[] {
  const sql =
    'SELECT id FROM environments WHERE deleted_at IS NOT NULL AND id NOT IN (SELECT environment_id FROM apps)';
  return db.all<{ id: number }>(sql).map(({ id }) => id);
}

export function forgetEnvironment(tx: Tx, id: number): void {
  tx.run('DELETE FROM environments WHERE id = ?', id);
}

/** Forgets the projects marked deleted in which nothing is left. */
export function forgetEmptyProjects(tx: Tx): void {
  const gone =
    'SELECT id FROM projects WHERE deleted_at IS NOT NULL AND id NOT IN (SELECT project_id FROM environments)';
  tx.run(`DELETE FROM projects WHERE id IN (${gone})`);
}
