import { columnsOf, pick, type Row, select, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert } from '../write.ts';

const e = columnsOf('environments', 'e');
const ENVIRONMENT = select({
  ...pick(e, 'id, slug, created_at, project_id'),
  project: columnsOf('projects', 'p').slug,
});

export type EnvironmentRow = Row<typeof ENVIRONMENT>;

const PROJECT = selectFrom('environments', 'project_id');
const FROM = 'environments e JOIN projects p ON p.id = e.project_id AND p.deleted_at IS NULL';

export function environmentBySlugs(db: Reader, project: string, slug: string): EnvironmentRow | undefined {
  return db.get(ENVIRONMENT.from(`${FROM} WHERE p.slug = ? AND e.slug = ? AND e.deleted_at IS NULL`), project, slug);
}

/** Returns the environments of a project, sorted by name. */
export function environmentsOfProject(db: Reader, projectId: number): EnvironmentRow[] {
  return db.all(ENVIRONMENT.from(`${FROM} WHERE e.project_id = ? AND e.deleted_at IS NULL ORDER BY e.slug`), projectId);
}

/** Returns the environments of all projects, sorted by name. */
export function allEnvironments(db: Reader): EnvironmentRow[] {
  return db.all(ENVIRONMENT.from(`${FROM} WHERE e.deleted_at IS NULL ORDER BY e.slug`));
}

export function insertEnvironment(tx: Tx, project: { id: number; slug: string }, slug: string, at: number): number {
  const id = insert(tx, 'environments', { project_id: project.id, slug, created_at: at });
  tx.event({
    kind: 'project',
    projectId: project.id,
    data: { project: project.slug, environment: slug, change: 'created' },
  });
  return id;
}

/**
 * Marks an environment as deleted, so that its name can be used again at once. The row is deleted later, when the
 * environment is empty.
 */
export function markEnvironmentDeleted(
  tx: Tx,
  environment: { id: number; slug: string; project: string },
  at: number,
): void {
  tx.run('UPDATE environments SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL', at, environment.id);
  tx.run("DELETE FROM variables WHERE level = 'environment' AND owner_id = ?", environment.id);
  const row = tx.get(PROJECT.from('environments WHERE id = ?'), environment.id);
  tx.event({
    kind: 'project',
    ...(row && { projectId: row.project_id }),
    data: { project: environment.project, environment: environment.slug, change: 'deleted' },
  });
}
