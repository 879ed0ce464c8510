import { DavitError, ERRORS, type Permission, type Scope, whyForbidden } from '@davit/api';
import { type AppTarget, appTarget } from '../app-spec/app-target.ts';
import { projectIds } from '../auth/actor.ts';
import type { Actor } from '../auth/context.ts';
import type { Reader } from '../db/store.ts';
import { appById, appBySlugs } from '../db/tables/app.ts';
import { type BackupRow, backupById } from '../db/tables/backup.ts';
import { type DeploymentRow, deploymentById } from '../db/tables/deployment.ts';
import { environmentBySlugs } from '../db/tables/environment.ts';
import { type DatabaseRow, databaseByName } from '../db/tables/managed-database.ts';
import { type StoreRow, storeByName } from '../db/tables/object-store.ts';
import { projectBySlug } from '../db/tables/project.ts';
import { type TaskRow, taskById } from '../db/tables/task.ts';
import { type InstallRow, installById } from '../db/tables/template-install.ts';
import { type UserRow, userByName } from '../db/tables/user.ts';
import { byPathNumber, pathNumber } from '../input/path-number.ts';
import { demandNoDeletion } from './deletion.ts';

export interface ProjectTarget {
  id: number;
  slug: string;
  createdAt: number;
}

export interface EnvironmentTarget {
  id: number;
  slug: string;
  project: { id: number; slug: string };
  createdAt: number;
}

export interface DeploymentTarget {
  app: AppTarget;
  deployment: DeploymentRow;
}

/** Types of the objects that API operations use. Each key is a kind of object, for example `app` or `project`. */
export interface Targets {
  instance: null;
  project: ProjectTarget;
  environment: EnvironmentTarget;
  app: AppTarget;
  deployment: DeploymentTarget;
  install: InstallRow;
  database: DatabaseRow;
  backup: BackupRow;
  object_store: StoreRow;
  task: TaskRow;
  user: UserRow;
}

type PathParams = Record<string, string>;

interface Found<T> {
  /**
   * Id of the project to which the app, database or other resource belongs. `null` if the resource belongs to no
   * project.
   */
  projectId: number | null;
  target: T;
}

/**
 * Finds the object of an operation and checks the permission of the caller. One function does both, so that no
 * operation can skip the check.
 * @throws DavitError not_found (also if the caller must not see the object), forbidden
 */
export function lookUp<S extends Scope>(
  db: Reader,
  actor: Actor,
  permission: Permission,
  scope: S,
  params: PathParams,
): Targets[S] {
  // The permission is checked before the lookup. Otherwise, the error code would reveal which user names exist.
  if (scope === 'user') demand(actor, permission);
  const found = FINDERS[scope](db, params, actor);
  if (found === undefined || !sees(actor, found.projectId)) throw new DavitError('not_found', MISSING[scope]);
  demand(actor, permission);
  return found.target;
}

/**
 * Checks that a role has a permission.
 * @throws DavitError forbidden, with the required role in the message
 */
export function demand(actor: Actor, permission: Permission): void {
  const why = whyForbidden(actor.role, permission);
  if (why !== null) throw new DavitError('forbidden', why);
}

/**
 * Returns whether a user can see a project and its contents. `null` means an object without a project. All users can
 * see such an object.
 */
export function sees(actor: Pick<Actor, 'projects'>, projectId: number | null): boolean {
  return actor.projects === null || projectId === null || actor.projects.includes(projectId);
}

/**
 * Returns whether a user can see an object. An object without a project affects all projects, so only users with access
 * to all projects can see it.
 */
export function seesOwner(actor: Actor, projectId: number | null): boolean {
  return actor.projects === null || (projectId !== null && sees(actor, projectId));
}

export function isAdminOfAll({ role, projects }: Actor): boolean {
  return role === 'admin' && projects === null;
}

/**
 * Returns the name of an app, as `project/environment/app`. Returns `undefined` if the app does not exist or the user
 * cannot see it.
 */
export function seenReference(db: Reader, actor: Actor, appId: number): string | undefined {
  const row = appById(db, appId);
  return row && sees(actor, row.project_id) ? appTarget(row).reference : undefined;
}

/**
 * Returns whether a user can see another user. All projects of the other user must be visible, including deleted
 * projects, because their data may be in the trash.
 */
export function seesUser(actor: Actor, user: UserRow): boolean {
  return seesEach(actor, projectIds(user.projects));
}

/**
 * Returns whether a user has access to all projects of an object, such as another user.
 * @param projects ids of the object's projects, or `null` for all projects
 */
export function seesEach({ projects: seen }: Pick<Actor, 'projects'>, projects: readonly number[] | null): boolean {
  // A user without projects is not visible, because an admin may later give this user access to any project.
  return seen === null || (projects !== null && projects.length > 0 && projects.every((id) => seen.includes(id)));
}

/**
 * Checks that the caller has access to all projects, because the action could destroy data of other users.
 * @param what text for the action in the error message, after the word `To`
 * @throws DavitError forbidden
 */
export function demandAllProjects({ projects }: Actor, what: string): void {
  if (projects === null) return;
  const message = `Your access is limited to certain projects. To ${what}, you need access to all projects; ask an admin who has it.`;
  throw new DavitError('forbidden', message);
}

/**
 * Reads an app again in a transaction, because another request may have changed the app.
 * @throws DavitError not_found if the app was deleted in the meantime
 */
export function currentApp(db: Reader, id: number): AppTarget {
  const row = appById(db, id);
  if (row === undefined) throw new DavitError('not_found', MISSING.app);
  return appTarget(row);
}

/**
 * Checks in a transaction that a project or environment still exists, because another request may have deleted it.
 * @throws DavitError not_found; conflict while a task deletes the project with its contents
 */
export function demandPresent(db: Reader, target: ProjectTarget | EnvironmentTarget): void {
  const [scope, present] =
    'project' in target
      ? (['environment', environmentBySlugs(db, target.project.slug, target.slug)] as const)
      : (['project', projectBySlug(db, target.slug)] as const);
  if (present?.id !== target.id) throw new DavitError('not_found', MISSING[scope]);
  demandNoDeletion(db, 'project' in target ? target.project.id : target.id);
}

/**
 * Error messages for `not_found` by kind of object. The message is the same if the user cannot see the object.
 * Otherwise, the message would reveal which objects exist.
 */
const MISSING: Record<Scope, string> = {
  instance: ERRORS.not_found.message,
  project: 'This project does not exist, or you cannot access it. Check its name.',
  environment:
    'This environment does not exist, or you cannot access it. Check the names of the project and the environment.',
  app: 'This app does not exist, or you cannot access it. Check the names of the project, the environment and the app.',
  deployment:
    'This deployment does not exist, or you cannot access it. Check the name of the app and the ID of the deployment.',
  install:
    'This template installation does not exist, or you cannot access it. Find its ID in the list of installations.',
  database:
    'This database does not exist, or you cannot access it. Check the names of the project, the environment and the database.',
  backup: 'This backup does not exist, or you cannot access it. Find its ID in the list of backups.',
  object_store: 'This object store does not exist, or you cannot access it. Check its name.',
  task: 'This task does not exist, or you cannot access it. Find its ID in the list of tasks.',
  user: 'This user does not exist, or you are not allowed to see this user. Check the user name.',
};

const EVERYBODYS: Found<null> = { projectId: null, target: null };

type Finder<T> = (db: Reader, params: PathParams, actor: Actor) => Found<T> | undefined;

const FINDERS: { [S in Scope]: Finder<Targets[S]> } = {
  instance: () => EVERYBODYS,
  project: findProject,
  environment: findEnvironment,
  app: findApp,
  deployment: findDeployment,
  install: findInstall,
  database: findDatabase,
  backup: findBackup,
  object_store: findStore,
  task: findTask,
  user: findUser,
};

function findProject(db: Reader, params: PathParams): Found<ProjectTarget> | undefined {
  const row = projectBySlug(db, params.project ?? '');
  return row && { projectId: row.id, target: { id: row.id, slug: row.slug, createdAt: row.created_at } };
}

function findEnvironment(db: Reader, params: PathParams): Found<EnvironmentTarget> | undefined {
  const row = environmentBySlugs(db, params.project ?? '', params.environment ?? '');
  if (row === undefined) return undefined;
  const project = { id: row.project_id, slug: row.project };
  return { projectId: row.project_id, target: { id: row.id, slug: row.slug, project, createdAt: row.created_at } };
}

function findApp(db: Reader, params: PathParams): Found<AppTarget> | undefined {
  const { project = '', environment = '', app = '' } = params;
  // The names of projects, environments and apps contain no slash. Two apps therefore never have the same cache key.
  const row = db.memoCopy(`app ${project}/${environment}/${app}`, () => appBySlugs(db, project, environment, app));
  return row && { projectId: row.project_id, target: appTarget(row) };
}

function findDeployment(db: Reader, params: PathParams): Found<DeploymentTarget> | undefined {
  const app = findApp(db, params);
  const id = pathNumber(params.deployment);
  if (app === undefined || id === undefined) return undefined;
  const deployment = deploymentById(db, id);
  if (deployment?.app_id !== app.target.id) return undefined;
  return { projectId: app.projectId, target: { app: app.target, deployment } };
}

function findInstall(db: Reader, params: PathParams, actor: Actor): Found<InstallRow> | undefined {
  return foundOf(
    actor,
    byPathNumber(params.install, (id) => installById(db, id)),
  );
}

function foundOf<T extends { project_id: number | null }>(actor: Actor, target: T | undefined): Found<T> | undefined {
  return target && seesOwner(actor, target.project_id) ? { projectId: target.project_id, target } : undefined;
}

function findDatabase(db: Reader, params: PathParams): Found<DatabaseRow> | undefined {
  const environment = findEnvironment(db, params);
  const target = environment && databaseByName(db, environment.target.id, params.database ?? '');
  return target && { projectId: target.project_id, target };
}

function findBackup(db: Reader, params: PathParams): Found<BackupRow> | undefined {
  const target = byPathNumber(params.backup, (id) => backupById(db, id));
  return target && { projectId: target.project_id, target };
}

function findTask(db: Reader, params: PathParams, actor: Actor): Found<TaskRow> | undefined {
  return foundOf(
    actor,
    byPathNumber(params.task, (id) => taskById(db, id)),
  );
}

function findStore(db: Reader, params: PathParams, actor: Actor): Found<StoreRow> | undefined {
  return foundOf(actor, storeByName(db, params.object_store ?? ''));
}

function findUser(db: Reader, params: PathParams, actor: Actor): Found<UserRow> | undefined {
  const user = userByName(db, params.user ?? '');
  return user && seesUser(actor, user) ? { projectId: null, target: user } : undefined;
}
