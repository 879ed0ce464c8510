import type { AppSpec, RevisionReason } from '@davit/api';
import { columnsOf, orNull, pick, type Row, select, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert } from '../write.ts';
import { deleteFilesOfApp } from './app-file.ts';
import { deleteAttachmentsOfApp } from './attachment.ts';
import { keepVolumesOfApp } from './volume.ts';

const a = columnsOf('apps', 'a');
const e = columnsOf('environments', 'e');
const d = columnsOf('deployments', 'd');

const APP = select({
  ...pick(a, 'id, name, spec, revision, settings_revision, live_deployment, stopped, created_at, updated_at'),
  environment_id: a.environment_id,
  environment: e.slug,
  project_id: e.project_id,
  project: columnsOf('projects', 'p').slug,
  /** Settings revision of the app's live (current) deployment. `null` if the app was never deployed. */
  live_revision: orNull(d.revision),
  /** Image tag that the user requested for the live (current) deployment. `null` if the app was never deployed. */
  live_tag: orNull(d.tag),
  live_mounts: d.mounts,
});

export type AppRow = Row<typeof APP>;

const FROM = `apps a JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id
  LEFT JOIN deployments d ON d.id = a.live_deployment`;

const BY_SLUGS = APP.from(
  `${FROM} WHERE p.slug = ? AND p.deleted_at IS NULL AND e.slug = ? AND e.deleted_at IS NULL
     AND a.name = ? AND a.deleted_at IS NULL`,
);

const BY_ID = APP.from(`${FROM} WHERE a.id = ? AND a.deleted_at IS NULL`);

const ID = selectFrom('apps', 'id');
const NAME = selectFrom('apps', 'id, environment_id, name');

/**
 * Returns the app with the given names of project, environment and app. Returns `undefined` if the project, environment
 * or app does not exist or is deleted.
 */
export function appBySlugs(db: Reader, project: string, environment: string, name: string): AppRow | undefined {
  return db.get(BY_SLUGS, project, environment, name);
}

/** Returns an app by its id, or `undefined` if the app does not exist or is deleted. */
export function appById(db: Reader, id: number): AppRow | undefined {
  return db.get(BY_ID, id);
}

/**
 * Returns the apps of the given projects, sorted by `project/environment/app`.
 * @param projectIds ids of the projects, or `null` for all projects
 */
export function listApps(db: Reader, projectIds: readonly number[] | null): AppRow[] {
  return db.all(
    APP.from(
      `${FROM} WHERE a.deleted_at IS NULL AND (?1 IS NULL OR p.id IN (SELECT value FROM json_each(?1)))
       ORDER BY p.slug || '/' || e.slug || '/' || a.name`,
    ),
    projectIds === null ? null : JSON.stringify(projectIds),
  );
}

export function appsOfEnvironment(db: Reader, environmentId: number): AppRow[] {
  return db.all(APP.from(`${FROM} WHERE a.environment_id = ? AND a.deleted_at IS NULL ORDER BY a.id`), environmentId);
}

export function appsOfProject(db: Reader, projectId: number): AppRow[] {
  return db.all(APP.from(`${FROM} WHERE e.project_id = ? AND a.deleted_at IS NULL ORDER BY a.id`), projectId);
}

/** Returns the ids of all apps, including apps that are marked as deleted. */
export function allAppIds(db: Reader): number[] {
  return db.all(ID.from('apps ORDER BY id')).map(({ id }) => id);
}

/** Returns the names of all apps that are not deleted, with the ids of their environments. */
export function appNames(db: Reader): Row<typeof NAME>[] {
  return db.all(NAME.from('apps WHERE deleted_at IS NULL ORDER BY id'));
}

export interface NewApp {
  environmentId: number;
  name: string;
  spec: AppSpec;
  at: number;
}

/**
 * Inserts an app with revision 1 and publishes an event.
 * @returns the id of the app
 */
export function insertApp(tx: Tx, app: NewApp): number {
  const id = insert(tx, 'apps', {
    environment_id: app.environmentId,
    name: app.name,
    spec: JSON.stringify(app.spec),
    revision: 1,
    created_at: app.at,
    updated_at: app.at,
  });
  tx.event({ kind: 'app', appId: id, data: { change: 'created' } });
  return id;
}

/**
 * Stores new settings of an app as the next revision. `actsAtOnce` means that the new settings need no deployment. The
 * app then does not show these settings as pending.
 */
export function changeApp(
  tx: Tx,
  id: number,
  next: { spec: AppSpec; revision: number; at: number; reason: RevisionReason; actsAtOnce: boolean },
): void {
  tx.run(
    `UPDATE apps SET spec = ?1, revision = ?2, updated_at = ?3,
       settings_revision = CASE WHEN ?4 THEN settings_revision ELSE ?2 END WHERE id = ?5`,
    JSON.stringify(next.spec),
    next.revision,
    next.at,
    next.actsAtOnce ? 1 : 0,
    id,
  );
  tx.event({ kind: 'app', appId: id, data: { change: next.reason, revision: next.revision } });
}

/**
 * Marks an app as deleted. The app's name and domains can be used again at once. The row is deleted later, after all
 * containers of the app are removed.
 */
export function markAppDeleted(tx: Tx, id: number, at: number): void {
  tx.run('UPDATE apps SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL', at, id);
  tx.run('DELETE FROM domains WHERE app_id = ?', id);
  keepVolumesOfApp(tx, id);
  deleteAttachmentsOfApp(tx, id);
  deleteFilesOfApp(tx, id);
  tx.run("DELETE FROM variables WHERE level = 'app' AND owner_id = ?", id);
  tx.event({ kind: 'app', appId: id, data: { change: 'deleted' } });
}
