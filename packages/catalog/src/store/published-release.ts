import type { Connection } from './connection.ts';
import type { ReleaseRecord } from './types.ts';

const COLUMNS =
  'id, repository_id, tag, commit_id, name, url, published_at, published, status, problems, icon, content_id';

/**
 * Copies the new and changed releases of a Git repository from the indexer's table to the published table. The catalog
 * server reads the published table.
 * @returns whether the published table changed
 */
export function publishReleases(db: Connection, repository: number): boolean {
  forgetReplaced(db, repository);
  const changes = db.run(
    `INSERT OR REPLACE INTO published_releases (${COLUMNS})
     SELECT ${COLUMNS} FROM releases WHERE repository_id = ?1
     EXCEPT SELECT ${COLUMNS} FROM published_releases WHERE repository_id = ?1`,
    repository,
  );
  return changes > 0;
}

/**
 * Removes all releases of a Git repository from the published tables.
 * @returns whether the published tables changed
 */
export function withdrawReleases(db: Connection, repository: number): boolean {
  forgetReplaced(db, repository);
  return db.run('DELETE FROM published_releases WHERE repository_id = ?', repository) > 0;
}

/**
 * Deletes the published texts of a release if the indexer has saved newer texts. The texts are the template file, the
 * README and the manifest.
 */
function forgetReplaced(db: Connection, repository: number): void {
  db.run(
    `DELETE FROM contents WHERE id IN (
       SELECT p.content_id FROM published_releases p JOIN releases r ON r.id = p.id
        WHERE p.repository_id = ? AND p.content_id IS NOT r.content_id)`,
    repository,
  );
}

/**
 * Returns the published releases of a Git repository, newest first. If releases have the same time, the last recorded
 * release comes first.
 */
export function releasesOf(db: Connection, repository: number): ReleaseRecord[] {
  return db
    .all<{
      tag: string;
      name: string;
      url: string;
      commit_id: string;
      published_at: string;
      status: ReleaseRecord['status'];
      problems: string;
    }>(
      `SELECT tag, name, url, commit_id, published_at, status, problems FROM published_releases
        WHERE repository_id = ? ORDER BY published DESC, id DESC`,
      repository,
    )
    .map(({ tag, name, url, commit_id, published_at, status, problems }) => ({
      tag,
      name,
      url,
      commit: commit_id,
      publishedAt: published_at,
      status,
      problems: JSON.parse(problems) as ReleaseRecord['problems'],
    }));
}

/** Returns the manifest of an accepted release as JSON text. Returns `null` if no accepted release has this tag. */
export function manifestOfTag(db: Connection, repository: number, tag: string): string | null {
  const found = db.get<{ manifest: string }>(
    `SELECT c.manifest FROM published_releases r JOIN contents c ON c.id = r.content_id
      WHERE r.repository_id = ? AND r.tag = ? AND r.status = 'accepted'
      ORDER BY r.published DESC, r.id DESC LIMIT 1`,
    repository,
    tag,
  );
  return found?.manifest ?? null;
}
