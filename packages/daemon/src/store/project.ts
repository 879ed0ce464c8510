import type { Reader, Tx } from './store.ts';

export interface ProjectRow {
  id: number;
  slug: string;
  created_at: number;
}

const COLUMNS = 'id, slug, created_at';

export function projectBySlug(db: Reader, slug: string): ProjectRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM projects WHERE slug = ? AND deleted_at IS NULL`, slug);
}

/** By name; those of `ids`, or all of them for null. */
export function listProjects(db: Reader, ids: readonly number[] | null): ProjectRow[] {
  return db.all(
    `SELECT ${COLUMNS} FROM projects WHERE deleted_at IS NULL AND (?1 IS NULL OR id IN (SELECT value FROM json_each(?1)))
     ORDER BY slug`,
    ids === null ? null : JSON.stringify(ids),
  );
}

export function insertProject(tx: Tx, slug: string, at: number): number {
  const { id } = tx.run('INSERT INTO projects (slug, created_at) VALUES (?, ?)', slug, at);
  tx.event({ kind: 'project', projectId: id, data: { project: slug, change: 'created' } });
  return id;
}

/** Frees the slug at once and drops its secrets; the row goes when nothing of the project is left. */
export function markProjectDeleted(tx: Tx, project: { id: number; slug: string }, at: number): void {
  tx.run('UPDATE projects SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL', at, project.id);
  tx.run("DELETE FROM variables WHERE level = 'project' AND owner_id = ?", project.id);
  tx.event({ kind: 'project', projectId: project.id, data: { project: project.slug, change: 'deleted' } });
}
