/**
 * Changes that `davit up` would make. The plan is derived from the file and the current state without further requests,
 * so that the shown plan is exactly what is done. Resources that the file does not name are never removed: they are
 * shown as kept.
 */
import { AppSettings, type AppSpec, type Variables } from '@davit/api';
import type { DavitFile } from '../davit-yaml/schema.ts';
import type { Change, Sign } from './change.ts';
import { type DomainWork, domainChanges } from './domains.ts';
import type { Observed } from './observe.ts';
import { settingsOf } from './settings.ts';

export interface Plan {
  changes: Change[];
  /** Settings to save, or `null` if they do not change. */
  settings: AppSpec | null;
  variables: { set: Record<string, string>; secret: string[] } | null;
  domains: DomainWork;
  /** Paths of volumes to add. */
  volumes: string[];
  /** Secrets that the file names and that have no value yet. */
  missing: string[];
}

/** Values of variables that are not in the file itself. */
export type Values = Record<string, { value: string; secret: boolean }>;

/**
 * Compares a file with the current state.
 * @param values all variables of the file with their resolved values
 */
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

/** Returns whether the plan contains a change. */
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

/** Environment that every new project has. */
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

/** Returns the settings of an app for which the file sets only the source of its image. */
function defaultsOf({ source, image }: AppSpec): AppSpec {
  return AppSettings.parse({ source, image });
}

/**
 * Returns the current settings. The API reports the app's own repository as the image of a pushed app, but this value
 * is not a setting.
 */
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

/**
 * Returns each single setting with its value as text: `health.path`, `"/healthz"`. Settings that are absent or `null`
 * are left out.
 */
function leaves(settings: object, prefix = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(settings)) {
    // A worker has the port `null`, which differs from an absent port.
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
