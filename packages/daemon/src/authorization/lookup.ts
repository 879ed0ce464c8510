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

/** Targets of operations by scope. */
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
  /** Id of the project, or `null` if the target has no project. */
  projectId: number | null;
  target: T;
}

/**
 * Finds the target of an operation for a permission. No target can be found without a permission.
 * @throws DavitError not_found if the target is missing, deleted or in a project that the actor does not see; forbidden
 * if the actor sees the target but has a lower role
 */
export function lookUp<S extends Scope>(
  db: Reader,
  actor: Actor,
  permission: Permission,
  scope: S,
  params: PathParams,
): Targets[S] {
  // The permission is checked first for users. An actor without rights for users gets the same error whether or not the
  // user exists.
  if (scope === 'user') demand(actor, permission);
  const found = FINDERS[scope](db, params, actor);
  if (found === undefined || !sees(actor, found.projectId)) throw new DavitError('not_found', MISSING[scope]);
  demand(actor, permission);
  return found.target;
}

/** Checks that a role has a permission. @throws DavitError forbidden with the required role */
export function demand(actor: Actor, permission: Permission): void {
  const why = whyForbidden(actor.role, permission);
  if (why !== null) throw new DavitError('forbidden', why);
}

/** Returns whether an actor sees a project and its contents. */
export function sees(actor: Pick<Actor, 'projects'>, projectId: number | null): boolean {
  return actor.projects === null || projectId === null || actor.projects.includes(projectId);
}

/**
 * Returns whether an actor sees an object that may have a project. An object without a project concerns all projects,
 * so only actors with access to all projects see it.
 */
export function seesOwner(actor: Actor, projectId: number | null): boolean {
  return actor.projects === null || (projectId !== null && sees(actor, projectId));
}

/** Returns whether an actor is an admin of all projects. */
export function isAdminOfAll({ role, projects }: Actor): boolean {
  return role === 'admin' && projects === null;
}

/** Returns the reference of an app, or `undefined` if the app does not exist or the actor does not see it. */
export function seenReference(db: Reader, actor: Actor, appId: number): string | undefined {
  const row = appById(db, appId);
  return row && sees(actor, row.project_id) ? appTarget(row).reference : undefined;
}

/**
 * Returns whether an actor sees a user. An actor who is limited to some projects sees only users who have no other
 * project. A deleted project counts, because its user still has its backups, volumes and databases in the trash. A user
 * without projects is not visible, because the user may get any project later.
 */
export function seesUser(actor: Actor, user: UserRow): boolean {
  return seesEach(actor, projectIds(user.projects));
}

/**
 * Returns whether an actor sees all projects of an object. Only actors with access to all projects see an object that
 * has no project.
 * @param projects ids of the projects, or `null` for all projects
 */
export function seesEach({ projects: seen }: Pick<Actor, 'projects'>, projects: readonly number[] | null): boolean {
  return seen === null || (projects !== null && projects.length > 0 && projects.every((id) => seen.includes(id)));
}

/**
 * Checks that an actor has access to all projects. Changes that concern all projects could destroy data of other
 * projects.
 * @param what end of the sentence `You are limited to some projects, so you cannot …`
 * @throws DavitError forbidden
 */
export function demandAllProjects({ projects }: Actor, what: string): void {
  if (projects === null) return;
  const message = `You are limited to some projects, so you cannot ${what}. Ask an admin of all projects.`;
  throw new DavitError('forbidden', message);
}

/**
 * Returns the current state of an app that was looked up before. Use inside a transaction.
 * @throws DavitError not_found if the app was deleted meanwhile
 */
export function currentApp(db: Reader, id: number): AppTarget {
  const row = appById(db, id);
  if (row === undefined) throw new DavitError('not_found', MISSING.app);
  return appTarget(row);
}

/**
 * Checks inside a transaction that a project or an environment still exists.
 * @throws DavitError not_found
 */
export function demandPresent(db: Reader, target: ProjectTarget | EnvironmentTarget): void {
  const [scope, present] =
    'project' in target
      ? (['environment', environmentBySlugs(db, target.project.slug, target.slug)] as const)
      : (['project', projectBySlug(db, target.slug)] as const);
  if (present?.id !== target.id) throw new DavitError('not_found', MISSING[scope]);
}

/**
 * Message of each scope. A missing and an invisible object have the same message, so that they cannot be distinguished.
 */
const MISSING: Record<Scope, string> = {
  instance: ERRORS.not_found.message,
  project: 'This project does not exist, or you cannot access it. Check its name.',
  environment:
    'This environment does not exist, or you cannot access it. Check the names of the project and the environment.',
  app: 'This app does not exist, or you cannot access it. Check its reference, “project/environment/app”.',
  deployment: 'This deployment does not exist, or you cannot access it. Check the reference of the app and the number.',
  install: 'This installation does not exist, or you cannot access it. List the installations to see their numbers.',
  database: 'This database does not exist, or you cannot access it. Check its reference, “project/environment/name”.',
  backup: 'This backup does not exist, or you cannot access it. List the backups.',
  object_store: 'This object store does not exist, or you cannot access it. Check its name.',
  task: 'This task does not exist, or you cannot access it. List the tasks.',
  user: 'This user does not exist, or you cannot access it. Check the name.',
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
  // Slugs contain no slash, so a key with two slashes belongs to exactly one app.
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

/** Returns an object that may have a project, if the actor sees it. */
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

/** Finds an object store. The keys of an object store give access to all its objects. */
function findStore(db: Reader, params: PathParams, actor: Actor): Found<StoreRow> | undefined {
  return foundOf(actor, storeByName(db, params.object_store ?? ''));
}

function findUser(db: Reader, params: PathParams, actor: Actor): Found<UserRow> | undefined {
  const user = userByName(db, params.user ?? '');
  return user && seesUser(actor, user) ? { projectId: null, target: user } : undefined;
}
