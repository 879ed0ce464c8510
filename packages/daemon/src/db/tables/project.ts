import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert } from '../write.ts';
import { forgetRegistriesOf } from './registry.ts';

const PROJECT = selectFrom('projects', 'id, slug, created_at');

export type ProjectRow = Row<typeof PROJECT>;

export function projectBySlug(db: Reader, slug: string): ProjectRow | undefined {
  return db.get(PROJECT.from('projects WHERE slug = ? AND deleted_at IS NULL'), slug);
}

/**
 * Returns projects, sorted by name.
 * @param ids ids of the projects, or `null` for all projects
 */
export function listProjects(db: Reader, ids: readonly number[] | null): ProjectRow[] {
  return db.all(
    PROJECT.from(`projects WHERE deleted_at IS NULL AND (?1 IS NULL OR id IN (SELECT value FROM json_each(?1)))
     ORDER BY slug`),
    ids === null ? null : JSON.stringify(ids),
  );
}

export function insertProject(tx: Tx, slug: string, at: number): number {
  const id = insert(tx, 'projects', { slug, created_at: at });
  tx.event({ kind: 'project', projectId: id, data: { project: slug, change: 'created' } });
  return id;
}

/**
 * Marks a project as deleted, so that its name can be used again at once. The row is deleted later, when the project is
 * empty.
 */
export function markProjectDeleted(tx: Tx, project: { id: number; slug: string }, at: number): void {
  tx.run('UPDATE projects SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL', at, project.id);
  tx.run("DELETE FROM variables WHERE level = 'project' AND owner_id = ?", project.id);
  forgetRegistriesOf(tx, project.id);
  tx.event({ kind: 'project', projectId: project.id, data: { project: project.slug, change: 'deleted' } });
}
