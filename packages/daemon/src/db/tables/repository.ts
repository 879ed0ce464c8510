import { columnsOf, orNull, pick, type Row, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { appBySlugs } from './app.ts';

/** It was another app's, or one's that is not known any more. */
const IS_LEFT = 'r.of_app IS NOT a.id AND (r.of_app IS NOT NULL OR r.unowned_since IS NOT NULL)';

/** The project that is there now, where it is the same one. */
const PROJECT = 'CASE WHEN r.of_project IS NULL OR r.of_project = p.id THEN p.id END';

const SHOWN = select({
  ...pick(columnsOf('repositories', 'r'), 'name, tags, bytes, unowned_since, granted_at'),
  project_id: orNull(sql.integer(PROJECT)),
  app_id: orNull(sql.integer(`CASE WHEN ${IS_LEFT} THEN NULL ELSE a.id END`)),
});
const SHOWN_FROM = `repositories r
  LEFT JOIN projects p ON p.slug = substr(r.name, 1, instr(r.name, '/') - 1) AND p.deleted_at IS NULL
  LEFT JOIN environments e ON e.project_id = p.id AND e.deleted_at IS NULL
    AND r.name LIKE p.slug || '/' || e.slug || '/%'
  LEFT JOIN apps a ON a.environment_id = e.id AND a.deleted_at IS NULL AND r.name = p.slug || '/' || e.slug || '/' || a.name`;

/** With its app and its project, null for those that are gone: an app that came to have its name later is another one. */
export type ShownRepository = Row<typeof SHOWN>;

/** A repository of the registry, by the name of the app whose releases are in it. */
export type RepositoryRow = Omit<ShownRepository, 'project_id' | 'app_id'>;

const NAME = selectFrom('repositories', 'name');

const IS_LISTED = 'r.tags > 0 OR r.unowned_since IS NOT NULL';

/** The same of one that was read: what is emptied is there for nobody, and what a deleted app has just left still is. */
export function isListed({ tags, unowned_since }: RepositoryRow): boolean {
  return tags > 0 || unowned_since !== null;
}

/** Those that hold anything; of the projects with these ids, or all of them for null. */
export function listRepositories(db: Reader, projectIds: readonly number[] | null): ShownRepository[] {
  return db.all(
    SHOWN.from(
      `${SHOWN_FROM} WHERE (${IS_LISTED})
         AND (?1 IS NULL OR ${PROJECT} IN (SELECT value FROM json_each(?1))) ORDER BY r.name`,
    ),
    projectIds === null ? null : JSON.stringify(projectIds),
  );
}

export function repositoryByName(db: Reader, name: string): ShownRepository | undefined {
  return db.get(SHOWN.from(`${SHOWN_FROM} WHERE r.name = ?`), name);
}

/** Those that an earlier app left where an app is now. They are nobody's: what is in them is not the new app's to see. */
export function leftRepositories(db: Reader): ShownRepository[] {
  return db.all(SHOWN.from(`${SHOWN_FROM} WHERE a.id IS NOT NULL AND ${IS_LEFT} ORDER BY r.name`));
}

/** The one that an earlier app left where this app is now; undefined for none. */
export function leftBefore(db: Reader, { reference }: { reference: string }): ShownRepository | undefined {
  return db.get(SHOWN.from(`${SHOWN_FROM} WHERE r.name = ? AND a.id IS NOT NULL AND ${IS_LEFT}`), reference);
}

/** The app whose releases are in a repository of this name, in the registry or not; null: there is no such app. */
export function ownerOf(db: Reader, name: string): number | null {
  const known = repositoryByName(db, name);
  return known === undefined ? (appByReference(db, name)?.id ?? null) : known.app_id;
}

function appByReference(db: Reader, name: string) {
  const [project = '', environment = '', app = ''] = name.split('/');
  return appBySlugs(db, project, environment, app);
}

/** Names of the repositories that a project has, also of those without a tag. */
export function repositoryNames(db: Reader, projectId: number): string[] {
  return allRepositories(db).flatMap((row) => (row.project_id === projectId ? [row.name] : []));
}

/** By name, those that nobody has ever pushed to included. */
export function allRepositories(db: Reader): ShownRepository[] {
  return db.all(SHOWN.from(`${SHOWN_FROM} ORDER BY r.name`));
}

/** Notes what a repository holds now. */
export function recordRepository(
  tx: Tx,
  { name, tags, bytes, unowned_since }: Omit<RepositoryRow, 'granted_at'>,
): void {
  const owner = ownerOf(tx, name) === null ? undefined : appByReference(tx, name);
  tx.run(
    `INSERT INTO repositories (name, tags, bytes, of_app, of_project, unowned_since) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET tags = excluded.tags, bytes = excluded.bytes, unowned_since = excluded.unowned_since`,
    name,
    tags,
    bytes,
    owner?.id ?? null,
    owner?.project_id ?? null,
    unowned_since,
  );
}

export interface Grant {
  name: string;
  at: number;
  /** Until the push can only be over, nothing of the repository is collected. */
  push: boolean;
}

/** Notes that somebody was let in, and for which app: it is that one's repository from then on. */
export function recordGrant(tx: Tx, { name, at, push }: Grant): void {
  const owner = appByReference(tx, name);
  tx.run(
    `INSERT INTO repositories (name, of_app, of_project, granted_at, push_granted_at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET of_app = coalesce(of_app, excluded.of_app),
        of_project = coalesce(of_project, excluded.of_project), granted_at = excluded.granted_at,
        push_granted_at = coalesce(excluded.push_granted_at, push_granted_at)`,
    name,
    owner?.id ?? null,
    owner?.project_id ?? null,
    at,
    push ? at : null,
  );
}

/** The names of those to which somebody was let push since then. */
export function pushedToSince(db: Reader, at: number): string[] {
  return db.all(NAME.from('repositories WHERE push_granted_at > ? ORDER BY name'), at).map(({ name }) => name);
}

/** Names of those whose app is gone since before then. */
export function unownedBefore(db: Reader, at: number): string[] {
  return db.all(NAME.from('repositories WHERE unowned_since <= ? ORDER BY name'), at).map(({ name }) => name);
}

/** For one whose contents were removed: whose it was matters for as long as somebody may have a token for it. */
export function emptyRepository(tx: Tx, name: string): void {
  tx.run('UPDATE repositories SET tags = 0, bytes = NULL, unowned_since = NULL WHERE name = ?', name);
}

/** For one that is not in the registry any more, and for which nobody has a token. */
export function forgetRepository(tx: Tx, name: string): void {
  tx.run('DELETE FROM repositories WHERE name = ?', name);
}
