/**
 * What `davit up` would change: from the file and what is there, without asking anybody, so that what a person is shown
 * before is what is done after. Nothing is ever removed because a file does not name it: it is shown as kept.
 */
import { AppSettings, type AppSpec, type Variables } from '@davit/api';
import type { DavitFile } from '../davit-yaml/schema.ts';
import type { Change, Sign } from './change.ts';
import { type DomainWork, domainChanges } from './domains.ts';
import type { Observed } from './observe.ts';
import { settingsOf } from './settings.ts';

export interface Plan {
  changes: Change[];
  /** The settings to save; null: they are as they should be. */
  settings: AppSpec | null;
  variables: { set: Record<string, string>; secret: string[] } | null;
  domains: DomainWork;
  /** Paths. */
  volumes: string[];
  /** Secrets that the file names and that nobody has set. */
  missing: string[];
}

/** The values of variables, where they are not in the file itself. */
export type Values = Record<string, { value: string; secret: boolean }>;

/** @param values all variables of the file, resolved */
export function plan(file: DavitFile, values: Values, observed: Observed): Plan {
  const { app, variables } = observed;
  const wanted = settingsOf(file, app);
  const settings = settingChanges(wanted, app === null ? defaultsOf(wanted) : currentOf(observed));
  const ofVariables = variableChanges(file, values, app === null ? null : variables);
  const ofDomains = domainChanges(file, app);
  const there = new Set(app?.volumes.map((volume) => volume.path));
  const volumes = file.volumes.filter((path) => !there.has(path));
  const isSet = new Set(variables?.effective.map(({ key }) => key));
  return {
    changes: [
      ...madeBefore(file, observed),
      ...settings,
      ...ofVariables.changes,
      ...ofDomains.changes,
      ...volumes.map((path) => change('+', 'volume', path)),
      ...[...there].filter((path) => !file.volumes.includes(path)).map((path) => change('=', 'volume', path)),
    ],
    settings: app === null || settings.length > 0 ? wanted : null,
    variables: ofVariables.work,
    domains: ofDomains.work,
    volumes,
    missing: file.secrets.filter((name) => !isSet.has(name)),
  };
}

/** Whether anything would be another than it is. */
export function differs({ changes }: Plan): boolean {
  return changes.some(({ sign }) => sign !== '=');
}

function change(
  sign: Sign,
  kind: Change['kind'],
  name: string,
  from: string | null = null,
  to: string | null = null,
): Change {
  return { sign, kind, name, from, to };
}

/** The environment that every project has from the beginning. */
export const BORN_WITH_PROJECT = 'production';

function madeBefore(file: DavitFile, { hasProject, hasEnvironment, app }: Observed): Change[] {
  const [project = '', environment = ''] = file.app.split('/');
  const isBorn = !hasProject && environment === BORN_WITH_PROJECT;
  return [
    ...(hasProject ? [] : [change('+', 'project', project)]),
    ...(hasEnvironment || isBorn ? [] : [change('+', 'environment', `${project}/${environment}`)]),
    ...(app === null ? [change('+', 'app', file.app)] : []),
  ];
}

/** What an app has of which the file says nothing but where its image comes from. */
function defaultsOf({ source, image }: AppSpec): AppSpec {
  return AppSettings.parse({ source, image });
}

/** An app that is pushed here is told with its own repository as its image, which is none of its settings. */
function currentOf({ app }: Observed): AppSpec {
  const keys = Object.keys(AppSettings.shape) as (keyof AppSpec)[];
  const settings = Object.fromEntries(keys.map((key) => [key, app?.[key]])) as unknown as AppSpec;
  return settings.source === 'registry' ? { ...settings, image: null } : settings;
}

function settingChanges(wanted: AppSpec, current: AppSpec): Change[] {
  const before = leaves(current);
  const after = leaves(wanted);
  const defaults = leaves(defaultsOf(wanted));
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => {
      const [from = null, to = null] = [before.get(name), after.get(name)];
      if (from === null) return change('+', 'setting', name, from, to);
      return change(to === (defaults.get(name) ?? null) ? '-' : '~', 'setting', name, from, to);
    });
}

/** Every single setting with its value in words: `health.path`, `"/healthz"`. What is null or absent is not in it. */
function leaves(settings: object, prefix = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(settings)) {
    // A worker says null of its port, which is not the same as saying nothing.
    if (value === undefined || (value === null && key !== 'port')) continue;
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isGroup) for (const [name, words] of leaves(value, `${prefix}${key}.`)) found.set(name, words);
    else found.set(`${prefix}${key}`, JSON.stringify(value));
  }
  return found;
}

function variableChanges(
  file: DavitFile,
  values: Values,
  there: Variables | null,
): { changes: Change[]; work: Plan['variables'] } {
  const hidden = new Set(there?.secret);
  const changed = Object.entries(values).filter(
    ([name, { value, secret }]) => there?.vars[name] !== value || hidden.has(name) !== secret,
  );
  const changes = changed.map(([name, { value, secret }]) => {
    const isThere = there !== null && Object.hasOwn(there.vars, name);
    const before = there?.vars[name] ?? null;
    const from = before === null || hidden.has(name) ? null : JSON.stringify(before);
    return change(isThere ? '~' : '+', 'variable', name, from, secret ? null : JSON.stringify(value));
  });
  const kept = Object.keys(there?.vars ?? {}).filter(
    (name) => !Object.hasOwn(values, name) && !file.secrets.includes(name),
  );
  const set = Object.fromEntries(changed.map(([name, { value }]) => [name, value]));
  const secret = changed.filter(([, one]) => one.secret).map(([name]) => name);
  return {
    changes: [...changes, ...kept.map((name) => change('=', 'variable', name))],
    work: changed.length > 0 ? { set, secret } : null,
  };
}
