import { paths } from '../paths.ts';

/**
 * Kind of resource in a breadcrumb. Such a breadcrumb has a menu in which the user can switch to another project,
 * environment or app.
 */
export type Level = 'project' | 'environment' | 'app';

export interface Crumb {
  name: string;
  to: string;
  level?: Level;
}

const PAGES: Readonly<Record<string, string>> = {
  databases: 'Databases',
  backups: 'Backups',
  'object-stores': 'Object stores',
  tasks: 'Tasks',
  templates: 'Templates',
  installs: 'Installed',
  registry: 'Registry',
  certificates: 'Certificates',
  users: 'Users',
  audit: 'Audit',
  settings: 'Settings',
  account: 'Account',
};

/**
 * First part of the URL path for resources that have a number but no name, such as tasks. The breadcrumb of such a
 * resource shows the number, for example `#12`.
 */
const NUMBERED: ReadonlySet<string> = new Set(['installs', 'tasks']);

const TABS: Readonly<Record<string, string>> = {
  deployments: 'Deployments',
  terminal: 'Terminal',
  logs: 'Logs',
  environment: 'Variables',
  settings: 'Settings',
};

/**
 * Returns the breadcrumbs for a URL path. The first breadcrumb is the page of the section, such as `Projects`. The last
 * breadcrumb is the current page.
 */
export function trailOf(pathname: string): Crumb[] {
  const [first, ...rest] = pathname.split('/').filter(Boolean).map(decoded);
  if (first === undefined) return [{ name: 'Overview', to: paths.overview() }];
  if (first === 'projects') return [{ name: 'Projects', to: paths.projects() }, ...projectTrail(rest)];
  const name = PAGES[first];
  if (name === undefined) return [{ name: 'Page not found', to: pathname }];
  /*
   * The URL of a template contains the owner of the repository. There is no page for an owner, so show no breadcrumb
   * for the owner.
   */
  const one = rest.at(-1);
  const top = { name, to: `/${first}` };
  return one === undefined ? [top] : [top, { name: NUMBERED.has(first) ? `#${one}` : one, to: pathname }];
}

function projectTrail([project, environment, app, tab, item]: string[]): Crumb[] {
  if (project === undefined) return [];
  const trail: Crumb[] = [{ name: project, to: paths.project({ project }), level: 'project' }];
  if (environment === undefined) return trail;
  if (environment === 'settings') return [...trail, { name: 'Settings', to: paths.projectSettings({ project }) }];
  trail.push({ name: environment, to: paths.environment({ project, environment }), level: 'environment' });
  if (app === undefined) return trail;
  if (app === 'settings') {
    return [...trail, { name: 'Settings', to: paths.environmentSettings({ project, environment }) }];
  }
  const path = { project, environment, app };
  trail.push({ name: app, to: paths.app(path), level: 'app' });
  if (tab !== undefined) trail.push({ name: TABS[tab] ?? tab, to: `${paths.app(path)}/${tab}` });
  if (item !== undefined) trail.push({ name: `#${item}`, to: `${paths.app(path)}/${tab}/${item}` });
  return trail;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

interface Known {
  projects: readonly { slug: string; environments: readonly string[] }[];
  apps: readonly { project: string; environment: string; name: string }[];
}

export interface Sibling {
  name: string;
  /**
   * URL of the same kind of page for this resource, for example of its logs. If the resource has no such page, this is
   * the URL of the environment or the project.
   */
  to: string;
  isHere: boolean;
}

/** Returns the resources on the same level as a breadcrumb, for example the other apps of an environment. */
export function siblingsOf(pathname: string, level: Level, { projects, apps }: Known): Sibling[] {
  const [, project = '', environment = '', app = '', tab] = pathname.split('/').filter(Boolean).map(decoded);
  const has = (inProject: string, inEnvironment: string, name: string) =>
    apps.some((one) => one.project === inProject && one.environment === inEnvironment && one.name === name);
  const appPage = (path: { project: string; environment: string; app: string }) =>
    paths.app(path) + (tab === undefined ? '' : `/${tab}`);
  const environmentPage = (other: { project: string; environment: string }) => {
    if (app === 'settings') return paths.environmentSettings(other);
    return has(other.project, other.environment, app) ? appPage({ ...other, app }) : paths.environment(other);
  };
  const projectPage = (other: { slug: string; environments: readonly string[] }) => {
    if (environment === 'settings') return paths.projectSettings({ project: other.slug });
    const hasIt = environment !== '' && other.environments.includes(environment);
    return hasIt ? environmentPage({ project: other.slug, environment }) : paths.project({ project: other.slug });
  };
  if (level === 'project') {
    return projects.map((one) => ({ name: one.slug, to: projectPage(one), isHere: one.slug === project }));
  }
  if (level === 'environment') {
    const names = projects.find(({ slug }) => slug === project)?.environments ?? [];
    return names.map((name) => ({
      name,
      to: environmentPage({ project, environment: name }),
      isHere: name === environment,
    }));
  }
  return apps
    .filter((one) => one.project === project && one.environment === environment)
    .map(({ name }) => ({ name, to: appPage({ project, environment, app: name }), isHere: name === app }));
}
