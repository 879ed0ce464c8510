import { randomBytes } from 'node:crypto';
import type { App, Database, Deployment, Role } from '@davit/api';
import { hashSecret, randomSecret } from '@davit/daemon/auth/secrets.ts';
import { insertApiKey } from '@davit/daemon/db/tables/api-key.ts';
import { projectBySlug } from '@davit/daemon/db/tables/project.ts';
import { insertUser } from '@davit/daemon/db/tables/user.ts';
import type { TestDaemon } from './daemon.ts';

export function slug(prefix: string): string {
  return `${prefix}-${randomBytes(4).toString('hex')}`;
}

/** Creates a project with the environment `production`. Returns the name of the project. */
export async function project(daemon: TestDaemon, name: string = slug('project')): Promise<string> {
  await daemon.client.createProject({ body: { slug: name } });
  return name;
}

/** Creates an app without a deployment. If the test names no project, a project is created too. */
export async function app(daemon: TestDaemon, settings: Record<string, unknown> = {}): Promise<App> {
  const inProject = (settings.project as string | undefined) ?? (await project(daemon));
  const body = { name: slug('app'), source: 'image' as const, image: 'example/web', port: 8080, ...settings };
  return daemon.client.createApp({ body: { ...body, project: inProject } });
}

/**
 * Returns the path parameters `project`, `environment` and `app` for API requests about an app. Accepts the app, or its
 * reference `project/environment/app`.
 */
export function paramsOf(of: Pick<App, 'project' | 'environment' | 'name'> | string): AppParams {
  if (typeof of !== 'string') return { project: of.project, environment: of.environment, app: of.name };
  const [inProject = '', environment = '', name = ''] = of.split('/');
  return { project: inProject, environment, app: name };
}

/** Splits the reference `project/environment/app` into the fields of a new app. */
export function appFieldsOf(reference: string): Pick<App, 'project' | 'environment' | 'name'> {
  const { app: name, ...environmentPath } = paramsOf(reference);
  return { ...environmentPath, name };
}

interface AppParams {
  project: string;
  environment: string;
  app: string;
}

/** Creates an app and deploys a release. The default tag is `v1`. */
export async function deployedApp(
  daemon: TestDaemon,
  { tag = 'v1', ...settings }: { tag?: string } & Record<string, unknown> = {},
): Promise<{ app: App; deployment: Deployment }> {
  const params = paramsOf(await app(daemon, settings));
  const deployment = await daemon.client.deployApp({ params, query: { wait: 'true' }, body: { tag } });
  if (!('status' in deployment) || deployment.status !== 'succeeded') {
    throw new Error(`deploy ${tag}: ${JSON.stringify(deployment)}`);
  }
  return { app: await daemon.client.getApp({ params }), deployment };
}

/** Creates a running database. By default, this is a PostgreSQL database in a new project. */
export async function database(daemon: TestDaemon, settings: Record<string, unknown> = {}): Promise<Database> {
  const inProject = (settings.project as string | undefined) ?? (await project(daemon));
  const body = { name: slug('db'), engine: 'postgres' as const, ...settings, project: inProject };
  const task = await daemon.client.createDatabase({ query: { wait: 'true' }, body });
  if (task.status !== 'succeeded') throw new Error(`make a database: ${JSON.stringify(task)}`);
  const [, environment = '', name = ''] = task.subject.name.split('/');
  return daemon.client.getDatabase({ params: { project: inProject, environment, database: name } });
}

/** Returns the parameters that select a database in the path of an API request. */
export function databaseParams({ project, environment, name }: Pick<Database, 'project' | 'environment' | 'name'>) {
  return { project, environment, database: name };
}

export interface TestUser {
  id: number;
  username: string;
  /** API key with all permissions of the user. */
  key: string;
}

/** Creates a user without a password, and an API key for the user. `projects: null` gives access to all projects. */
export function user(daemon: TestDaemon, role: Role, projects: string[] | null = null): TestUser {
  const { store, now } = daemon.core;
  const username = slug(role);
  const ids = projects === null ? null : projects.map((name) => projectId(daemon, name));
  const id = store.tx((tx) => insertUser(tx, { username, passwordHash: 'none', role, projects: ids, at: now() }));
  return { id, username, key: keyFor(daemon, { id, role }) };
}

/** Creates an API key for a user with a role. The API key can be restricted to some projects and can expire. */
export function keyFor(
  daemon: TestDaemon,
  owner: { id: number; role: Role },
  { projects = null, expiresAt = null }: { projects?: string[] | null; expiresAt?: number | null } = {},
): string {
  const { store, now } = daemon.core;
  const key = `davit_${randomSecret()}`;
  const ids = projects === null ? null : projects.map((name) => projectId(daemon, name));
  const { id: userId, role } = owner;
  store.tx((tx) =>
    insertApiKey(tx, {
      userId,
      name: 'test',
      keyHash: hashSecret(key),
      role,
      projects: ids,
      at: now(),
      expiresAt,
      restricted: false,
    }),
  );
  return key;
}

function projectId(daemon: TestDaemon, name: string): number {
  const row = projectBySlug(daemon.core.store, name);
  if (row === undefined) throw new Error(`there is no project ${name}`);
  return row.id;
}
