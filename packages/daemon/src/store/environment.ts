import type { Reader, Tx } from './store.ts';

export interface EnvironmentRow {
  id: number;
  slug: string;
  created_at: number;
  project_id: number;
  project: string;
}

const COLUMNS = 'e.id, e.slug, e.created_at, e.project_id, p.slug AS project';
const FROM = 'environments e JOIN projects p ON p.id = e.project_id AND p.deleted_at IS NULL';

export function environmentBySlugs(db: Reader, project: string, slug: string): EnvironmentRow | undefined {
  return db.get(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE p.slug = ? AND e.slug = ? AND e.deleted_at IS NULL`,
    project,
    slug,
  );
}

/** By name. */
export function environmentsOfProject(db: Reader, projectId: number): EnvironmentRow[] {
  return db.all(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE e.project_id = ? AND e.deleted_at IS NULL ORDER BY e.slug`,
    projectId,
  );
}

/** Of every project, by name. */
export function allEnvironments(db: Reader): EnvironmentRow[] {
  return db.all(`SELECT ${COLUMNS} FROM ${FROM} WHERE e.deleted_at IS NULL ORDER BY e.slug`);
}

export function insertEnvironment(tx: Tx, project: { id: number; slug: string }, slug: string, at: number): number {
  const { id } = tx.run(
    'INSERT INTO environments (project_id, slug, created_at) VALUES (?, ?, ?)',
    project.id,
    slug,
    at,
  );
  tx.event({
    kind: 'project',
    projectId: project.id,
    data: { project: project.slug, environment: slug, change: 'created' },
  });
  return id;
}

/** Frees the slug at once and drops its secrets; the row goes when nothing of the environment is left. */
export function markEnvironmentDeleted(
  tx: Tx,
  environment: { id: number; slug: string; project: string },
  at: number,
): void {
  tx.run('UPDATE environments SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL', at, environment.id);
  tx.run("DELETE FROM variables WHERE level = 'environment' AND owner_id = ?", environment.id);
  const row = tx.get<{ project_id: number }>('SELECT project_id FROM environments WHERE id = ?', environment.id);
  tx.event({
    kind: 'project',
    ...(row && { projectId: row.project_id }),
    data: { project: environment.project, environment: environment.slug, change: 'deleted' },
  });
}
