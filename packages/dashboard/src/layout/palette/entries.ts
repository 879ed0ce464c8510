import { type App, type Permission, type Project, type Role, whyForbidden } from '@davit/api';
import { SECTIONS as APP_SECTIONS } from '../../components/app-settings/sections.ts';
import { SECTIONS } from '../../components/settings/fields.ts';
import { paths } from '../../paths.ts';
import { DESTINATIONS } from '../destinations.ts';
import { THEMES, type Theme } from '../themes.ts';

/**
 * Entry of the command palette that opens a page or a form. An entry never changes an app or another resource
 * immediately.
 */
export interface Entry {
  /** Text of the command palette entry. The search compares this text with the search text of the user. */
  text: string;
  kind: 'page' | 'project' | 'environment' | 'app' | 'action';
  does: { to: string; search?: Record<string, string> } | { theme: Theme } | 'sign out' | 'documentation';
  /** Reason why this command palette entry is disabled. `null` if the entry is enabled. */
  disabledBecause: string | null;
  /**
   * Whether this command palette entry is hidden until the user enters a search text. Groups with many entries use this
   * field.
   */
  isDeep?: boolean;
  /** Name of the app or the environment, without the name of the project. */
  name?: string;
  /**
   * Name of the environment that this command palette entry opens. For an app, this is the environment that contains
   * the app.
   */
  environment?: string;
}

type Known = { role: Role; projects: readonly Project[]; apps: readonly App[] };

/** Returns all entries of the command palette. */
export function entriesOf({ role, projects, apps }: Known): Entry[] {
  const because = (needs: Permission) => whyForbidden(role, needs);
  return [
    ...DESTINATIONS.map(({ name, to }) => page(name, to)),
    ...apps.map(
      (app): Entry => ({
        text: app.reference,
        name: app.name,
        environment: app.environment,
        kind: 'app',
        does: { to: paths.app(pathOf(app)) },
        disabledBecause: null,
      }),
    ),
    ...projects.flatMap(projectEntries),
    page('Installed templates', paths.installs()),
    page('Account', paths.account()),
    ...SECTIONS.map(({ value, label }) => settings(`Settings: ${label}`, paths.settings(), value)),
    { text: 'API documentation', kind: 'page', does: 'documentation', disabledBecause: null },
    ...actions(because),
    ...projects.map(({ slug }) => newEnvironment(slug, because('operate'))),
    ...projects.flatMap(({ slug, environments }) =>
      environments.map((environment) => newApp(slug, environment, because('operate'))),
    ),
    ...apps.flatMap((app) => appEntries(app, because('operate'))),
  ];
}

function page(text: string, to: string): Entry {
  return { text, kind: 'page', does: { to }, disabledBecause: null };
}

function settings(text: string, to: string, section: string): Entry {
  return { isDeep: true, text, kind: 'page', does: { to, search: { section } }, disabledBecause: null };
}

const pathOf = ({ project, environment, name }: App) => ({ project, environment, app: name });

function projectEntries({ slug, environments }: Project): Entry[] {
  const common = { disabledBecause: null };
  return [
    { ...common, text: slug, kind: 'project', does: { to: paths.project({ project: slug }) } },
    ...environments.map(
      (environment): Entry => ({
        ...common,
        text: `${slug}/${environment}`,
        name: environment,
        environment,
        kind: 'environment',
        does: { to: paths.environment({ project: slug, environment }) },
      }),
    ),
    {
      ...common,
      isDeep: true,
      text: `${slug} settings`,
      kind: 'project',
      does: { to: paths.projectSettings({ project: slug }) },
    },
  ];
}

const TABS = [
  ['deployments', paths.appDeployments],
  ['logs', paths.appLogs],
  ['terminal', paths.appTerminal],
  ['variables', paths.appEnvironment],
  ['settings', paths.appSettings],
] as const;

/**
 * Command palette entries for actions on an app. Each action has a label, a page of the app, and query parameters that
 * open a dialog on this page.
 */
const FORMS: readonly [
  verb: string,
  to: (path: ReturnType<typeof pathOf>) => string,
  search: Record<string, string>,
][] = [
  ['Deploy', paths.app, { deploy: '1' }],
  /*
   * The value `previous` selects the release before the current release. A deployment id would select the release of
   * that deployment.
   */
  ['Roll back', paths.app, { rollback: 'previous' }],
  ['Promote an image to', paths.app, { promote: '1' }],
  ['Restart', paths.app, { restart: '1' }],
  ['Stop', paths.app, { stop: '1' }],
  ['Run a command in', paths.appTerminal, { tab: 'run' }],
  ['New schedule for', paths.appTerminal, { tab: 'schedules', new: '1' }],
  ['New domain for', paths.appSettings, { section: 'domains', new: '1' }],
  ['New variable for', paths.appEnvironment, { add: '1' }],
];

function appEntries(app: App, forbidden: string | null): Entry[] {
  const path = pathOf(app);
  return [
    ...FORMS.map(
      ([verb, to, search]): Entry => ({
        isDeep: true,
        environment: app.environment,
        text: `${verb} ${app.reference}…`,
        kind: 'action',
        does: { to: to(path), search },
        disabledBecause: forbidden,
      }),
    ),
    ...TABS.map(
      ([name, to]): Entry => ({
        isDeep: true,
        environment: app.environment,
        text: `${app.reference} ${name}`,
        kind: 'app',
        does: { to: to(path) },
        disabledBecause: null,
      }),
    ),
    ...APP_SECTIONS.map(({ id, title }) => ({
      ...settings(`${app.reference} settings: ${title}`, paths.appSettings(path), id),
      environment: app.environment,
    })),
  ];
}

function newEnvironment(project: string, disabledBecause: string | null): Entry {
  const does = { to: paths.project({ project }), search: { new: 'environment' } };
  return { isDeep: true, text: `New environment in ${project}…`, kind: 'action', does, disabledBecause };
}

function newApp(project: string, environment: string, disabledBecause: string | null): Entry {
  const does = { to: paths.environment({ project, environment }), search: { new: 'app' } };
  return { isDeep: true, text: `New app in ${project}/${environment}…`, kind: 'action', does, disabledBecause };
}

const THEME_WORDS: Record<Theme, string> = {
  system: 'Theme: system',
  light: 'Theme: light',
  dark: 'Theme: dark',
};

function actions(because: (needs: Permission) => string | null): Entry[] {
  const action = (text: string, does: Entry['does'], disabledBecause: string | null = null): Entry => ({
    text,
    kind: 'action',
    does,
    disabledBecause,
  });
  return [
    action('New project…', { to: paths.projects(), search: { new: 'project' } }, because('administer')),
    action(
      'Install from a repository or a file…',
      { to: paths.templates(), search: { new: 'repository' } },
      because('administer'),
    ),
    action('Import a Compose file…', { to: paths.templates(), search: { new: 'compose' } }, because('administer')),
    action('New user…', { to: paths.users(), search: { new: '1' } }, because('administer')),
    action('New API key…', { to: paths.account(), search: { new: '1' } }),
    ...THEMES.map((theme) => action(THEME_WORDS[theme], { theme })),
    action('Sign out', 'sign out'),
  ];
}
