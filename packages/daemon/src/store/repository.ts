import { appBySlugs } from './app.ts';
import type { Reader, Tx } from './store.ts';

/** A repository of the registry, by the name of the app whose releases are in it. */
export interface RepositoryRow {
  name: string;
  tags: number;
  /** Null: not measured yet. */
  bytes: number | null;
  /** When it was seen first that its app is gone; null: it is not. */
  unowned_since: number | null;
  /** When somebody was let push to it last. */
  push_granted_at: number | null;
}

/** One that is shown, with what is there of its app and its project. */
export interface ShownRepository extends RepositoryRow {
  project_id: number | null;
  app_id: number | null;
}

const ROW = 'r.name, r.tags, r.bytes, r.unowned_since, r.push_granted_at';

/** By name. Its app and its project as they are now, null for those that are gone. */
const SHOWN = `SELECT ${ROW}, p.id AS project_id, a.id AS app_id FROM repositories r
  LEFT JOIN projects p ON p.slug = substr(r.name, 1, instr(r.name, '/') - 1) AND p.deleted_at IS NULL
  LEFT JOIN environments e ON e.project_id = p.id AND e.deleted_at IS NULL
    AND r.name LIKE p.slug || '/' || e.slug || '/%'
  LEFT JOIN apps a ON a.environment_id = e.id AND a.deleted_at IS NULL AND r.name = p.slug || '/' || e.slug || '/' || a.name`;

/** Those that hold anything; of the projects with these ids, or all of them for null. */
export function listRepositories(db: Reader, projectIds: readonly number[] | null): ShownRepository[] {
  return db.all(
    `${SHOWN} WHERE (r.tags > 0 OR r.unowned_since IS NOT NULL)
       AND (?1 IS NULL OR p.id IN (SELECT value FROM json_each(?1))) ORDER BY r.name`,
    projectIds === null ? null : JSON.stringify(projectIds),
  );
}

export function repositoryByName(db: Reader, name: string): ShownRepository | undefined {
  return db.get(`${SHOWN} WHERE r.name = ?`, name);
}

/** The app whose releases are in a repository of this name, in the registry or not; null: there is no such app. */
export function ownerOf(db: Reader, name: string): number | null {
  const [project = '', environment = '', app = ''] = name.split('/');
  return appBySlugs(db, project, environment, app)?.id ?? null;
}

/** By name, those that nobody has ever pushed to included. */
export function allRepositories(db: Reader): ShownRepository[] {
  return db.all(`${SHOWN} ORDER BY r.name`);
}

/** Notes what a repository holds now. */
export function recordRepository(
  tx: Tx,
  { name, tags, bytes, unowned_since }: Omit<RepositoryRow, 'push_granted_at'>,
): void {
  tx.run(
    `INSERT INTO repositories (name, tags, bytes, unowned_since) VALUES (?, ?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET tags = excluded.tags, bytes = excluded.bytes, unowned_since = excluded.unowned_since`,
    name,
    tags,
    bytes,
    unowned_since,
  );
}

/** Notes that somebody was let push: until the push can only be over, nothing of the repository is collected. */
export function recordPushGrant(tx: Tx, name: string, at: number): void {
  tx.run(
    `INSERT INTO repositories (name, push_granted_at) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET push_granted_at = excluded.push_granted_at`,
    name,
    at,
  );
}

/** The names of those to which somebody was let push since then. */
export function pushedToSince(db: Reader, at: number): string[] {
  return db
    .all<{ name: string }>('SELECT name FROM repositories WHERE push_granted_at > ? ORDER BY name', at)
    .map(({ name }) => name);
}

/** Names of those whose app is gone since before then. */
export function unownedBefore(db: Reader, at: number): string[] {
  return db
    .all<{ name: string }>('SELECT name FROM repositories WHERE unowned_since <= ? ORDER BY name', at)
    .map(({ name }) => name);
}

/** For one that is not in the registry any more. */
export function forgetRepository(tx: Tx, name: string): void {
  tx.run('DELETE FROM repositories WHERE name = ?', name);
}
