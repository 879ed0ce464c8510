/**
 * Builds all URLs of the dashboard, so that the compiler checks every link. A test compares the URLs with the routes
 * and with `PAGES` in `packages/api`.
 */
export interface ProjectPath {
  project: string;
}
export interface EnvironmentPath extends ProjectPath {
  environment: string;
}
export interface AppPath extends EnvironmentPath {
  app: string;
}

export interface DatabasePath extends EnvironmentPath {
  database: string;
}

/**
 * Path parameters in the URL of a catalog template. They are the owner and the name of the template's Git repository.
 */
export interface TemplatePath {
  owner: string;
  name: string;
}

const project = ({ project }: ProjectPath) => `/projects/${project}`;
const environment = (path: EnvironmentPath) => `${project(path)}/${path.environment}`;
const app = (path: AppPath) => `${environment(path)}/${path.app}`;

export const paths = {
  overview: () => '/',
  claim: () => '/claim',
  signIn: () => '/sign-in',
  projects: () => '/projects',
  project,
  projectSettings: (path: ProjectPath) => `${project(path)}/settings`,
  environment,
  environmentSettings: (path: EnvironmentPath) => `${environment(path)}/settings`,
  app,
  appDeployments: (path: AppPath) => `${app(path)}/deployments`,
  appDeployment: (path: AppPath & { deployment: number | string }) => `${app(path)}/deployments/${path.deployment}`,
  appLogs: (path: AppPath) => `${app(path)}/logs`,
  appTerminal: (path: AppPath) => `${app(path)}/terminal`,
  appEnvironment: (path: AppPath) => `${app(path)}/environment`,
  appSettings: (path: AppPath) => `${app(path)}/settings`,
  databases: () => '/databases',
  database: ({ project, environment, database }: DatabasePath) => `/databases/${project}/${environment}/${database}`,
  backups: () => '/backups',
  objectStores: () => '/object-stores',
  objectStore: ({ object_store }: { object_store: string }) => `/object-stores/${object_store}`,
  tasks: () => '/tasks',
  task: ({ task }: { task: number | string }) => `/tasks/${task}`,
  templates: () => '/templates',
  template: ({ owner, name }: TemplatePath) => `/templates/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`,
  installs: () => '/installs',
  install: ({ install }: { install: number | string }) => `/installs/${install}`,
  registry: () => '/registry',
  certificates: () => '/certificates',
  users: () => '/users',
  user: ({ user }: { user: string }) => `/users/${user}`,
  audit: () => '/audit',
  settings: () => '/settings',
  account: () => '/account',
  authorize: () => '/oauth/authorize',
  help: () => '/help',
  helpPage: ({ page }: { page: string }) => `/help/${page}`,
} as const;

/**
 * Splits an app reference in the form `project/environment/app`.
 * @throws Error if the text has another form
 */
export function appPath(reference: string): AppPath {
  const [project, environment, app] = reference.split('/');
  if (!project || !environment || !app) throw new Error(`“${reference}” is not the reference of an app`);
  return { project, environment, app };
}

/**
 * Splits a database reference in the form `project/environment/database`.
 * @throws Error if the text has another form
 */
export function databasePath(reference: string): DatabasePath {
  const [project, environment, database] = reference.split('/');
  if (!project || !environment || !database) throw new Error(`“${reference}” is not the reference of a database`);
  return { project, environment, database };
}
