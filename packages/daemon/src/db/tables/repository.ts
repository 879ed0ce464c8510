import { columnsOf, orNull, pick, type Row, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { appBySlugs } from './app.ts';

/**
 * SQL condition for registry repositories of deleted apps. The condition is also true if a new app has the same name as
 * the deleted app.
 */
const IS_LEFT = 'r.of_app IS NOT a.id AND (r.of_app IS NOT NULL OR r.unowned_since IS NOT NULL)';

/**
 * SQL expression for the id of the project that owns the repository. The result is `null` if this project was deleted,
 * even if a new project has the same name.
 */
const PROJECT = 'CASE WHEN r.of_project IS NULL OR r.of_project = p.id THEN p.id END';

/**
 * SQL expression for the number of the app's releases. A tag of something else, such as a signature, is no release. The
 * result is `null` if no app owns the repository.
 */
const RELEASES = `CASE WHEN a.id IS NULL OR ${IS_LEFT} THEN NULL
  ELSE (SELECT count(*) FROM release_tags t WHERE t.app_id = a.id) END`;

const SHOWN = select({
  ...pick(columnsOf('repositories', 'r'), 'name, tags, bytes, unowned_since, granted_at'),
  project_id: orNull(sql.integer(PROJECT)),
  app_id: orNull(sql.integer(`CASE WHEN ${IS_LEFT} THEN NULL ELSE a.id END`)),
  releases: orNull(sql.integer(RELEASES)),
});
const SHOWN_FROM = `repositories r
  LEFT JOIN projects p ON p.slug = substr(r.name, 1, instr(r.name, '/') - 1) AND p.deleted_at IS NULL
  LEFT JOIN environments e ON e.project_id = p.id AND e.deleted_at IS NULL
    AND r.name LIKE p.slug || '/' || e.slug || '/%'
  LEFT JOIN apps a ON a.environment_id = e.id AND a.deleted_at IS NULL AND r.name = p.slug || '/' || e.slug || '/' || a.name`;

/**
 * Registry repository with the ids of its app and project. If the app or project was deleted, the id is `null`, even if
 * a new one has the same name.
 */
export type ShownRepository = Row<typeof SHOWN>;

/** Registry repository of an app. The name of the repository is `project/environment/app`. */
export type RepositoryRow = Omit<ShownRepository, 'project_id' | 'app_id' | 'releases'>;

const NAME = selectFrom('repositories', 'name');

const IS_LISTED = 'r.tags > 0 OR r.unowned_since IS NOT NULL';

/**
 * Returns whether users can see a repository. A visible repository has tags or belongs to a deleted app. The SQL
 * condition `IS_LISTED` must express the same rule.
 */
export function isListed({ tags, unowned_since }: RepositoryRow): boolean {
  return tags > 0 || unowned_since !== null;
}

/**
 * Returns the repositories that users can see, sorted by name.
 * @param projectIds ids of the projects, or `null` for all projects
 */
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

/**
 * Returns the repositories of deleted apps for which a new app with the same name exists. Users of the new app must not
 * see the images of the deleted app.
 */
export function leftRepositories(db: Reader): ShownRepository[] {
  return db.all(SHOWN.from(`${SHOWN_FROM} WHERE a.id IS NOT NULL AND ${IS_LEFT} ORDER BY r.name`));
}

/**
 * Returns the registry repository of a deleted app that had the same name as the given app. Returns `undefined` if
 * there is no such repository.
 */
export function leftBefore(db: Reader, { reference }: { reference: string }): ShownRepository | undefined {
  return db.get(SHOWN.from(`${SHOWN_FROM} WHERE r.name = ? AND a.id IS NOT NULL AND ${IS_LEFT}`), reference);
}

/**
 * Returns the id of the app that owns a repository, or `null` if no app owns it. A repository without a row belongs to
 * the app with the same name.
 */
export function ownerOf(db: Reader, name: string): number | null {
  const known = repositoryByName(db, name);
  return known === undefined ? (appByReference(db, name)?.id ?? null) : known.app_id;
}

function appByReference(db: Reader, name: string) {
  const [project = '', environment = '', app = ''] = name.split('/');
  return appBySlugs(db, project, environment, app);
}

/** Returns the names of a project's registry repositories, including repositories without tags. */
export function repositoryNames(db: Reader, projectId: number): string[] {
  return allRepositories(db).flatMap((row) => (row.project_id === projectId ? [row.name] : []));
}

/** Returns all registry repositories sorted by name, including repositories without tags. */
export function allRepositories(db: Reader): ShownRepository[] {
  return db.all(SHOWN.from(`${SHOWN_FROM} ORDER BY r.name`));
}

/** Stores the number of tags and the size of a registry repository. */
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
  /**
   * `true` if the registry token allows a push. The registry's garbage collection then skips the repository as long as
   * this push may take.
   */
  push: boolean;
}

/**
 * Records that a client got a registry token for a repository. If no app owns the repository yet, the app with the same
 * name becomes the owner.
 */
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

/** Returns the names of the registry repositories for which a push token was issued after the time `at`. */
export function pushedToSince(db: Reader, at: number): string[] {
  return db.all(NAME.from('repositories WHERE push_granted_at > ? ORDER BY name'), at).map(({ name }) => name);
}

/** Returns the names of registry repositories whose app was deleted before or at the time `at`. */
export function unownedBefore(db: Reader, at: number): string[] {
  return db.all(NAME.from('repositories WHERE unowned_since <= ? ORDER BY name'), at).map(({ name }) => name);
}

/**
 * Records that a repository has no images. The row stays, because it contains the owner of the repository. Davit needs
 * the owner while a client has a valid token for the repository.
 */
export function emptyRepository(tx: Tx, name: string): void {
  tx.run('UPDATE repositories SET tags = 0, bytes = NULL, unowned_since = NULL WHERE name = ?', name);
}

/**
 * Deletes the row of a repository that no longer exists in the registry. Call this function only if no client has a
 * valid token for the repository.
 */
export function forgetRepository(tx: Tx, name: string): void {
  tx.run('DELETE FROM repositories WHERE name = ?', name);
}
