/**
 * Calculates the changes of `davit up` without requests. Therefore, `davit up` applies exactly the plan that the user
 * saw. Resources that davit.yaml omits are not removed.
 */
import { type App, AppSettings, type AppSpec, type Variables } from '@davit/api';
import type { DavitFile } from '../davit-yaml/schema.ts';
import type { Change, Sign } from './change.ts';
import { type DomainWork, domainChanges } from './domains.ts';
import type { Observed } from './observe.ts';
import { settingsOf } from './settings.ts';

export interface Plan {
  changes: Change[];
  /** Complete app settings to save. `null` if no setting changes. */
  settings: AppSpec | null;
  variables: { set: Record<string, string>; secret: string[] } | null;
  domains: DomainWork;
  /** Paths of the volumes that `davit up` adds to the app. */
  volumes: string[];
  /** Names of secrets in davit.yaml for which the instance has no value yet. */
  missing: string[];
}

/**
 * Environment variables from a davit.yaml. The value of a `from_env` variable comes from the environment of the CLI
 * process.
 */
export type Values = Record<string, { value: string; secret: boolean }>;

/**
 * Compares a davit.yaml with the current state of the app on the instance.
 * @param values environment variables from the davit.yaml with their values
 */
export function plan(file: DavitFile, values: Values, observed: Observed): Plan {
  const { app, variables } = observed;
  const wanted = settingsOf(file, app);
  const settings = settingChanges(file, wanted, app === null ? defaultsOf(wanted) : currentOf(observed));
  const ofVariables = variableChanges(file, values, app === null ? null : variables);
  const ofDomains = domainChanges(file, app);
  const there = new Set(app?.volumes.map((volume) => volume.path));
  const volumes = file.volumes.filter((path) => !there.has(path));
  const isSet = new Set(variables?.effective.map(({ key }) => key));
  return {
    changes: [
      ...madeBefore(file, observed),
      ...settings,
      ...keptScale(file, app),
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

/** Name of the environment that Davit creates in every new project. */
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

/** Returns a line of the plan if `davit up` keeps a number of replicas that is not the default. */
function keptScale({ scale }: DavitFile, app: App | null): Change[] {
  const usual = AppSettings.shape.scale.parse(undefined);
  return scale === undefined && app !== null && app.scale !== usual ? [change('=', 'setting', 'scale')] : [];
}

/** Returns the default settings of an app that has the given image source. */
function defaultsOf({ source, image }: AppSpec): AppSpec {
  return AppSettings.parse({ source, image });
}

/**
 * Returns the current settings of an app. In API responses, `image` can be the app's own repository. In this case,
 * `image` is not a setting.
 */
function currentOf({ app }: Observed): AppSpec {
  const keys = Object.keys(AppSettings.shape) as (keyof AppSpec)[];
  const settings = Object.fromEntries(keys.map((key) => [key, app?.[key]])) as unknown as AppSpec;
  return settings.source === 'registry' ? { ...settings, image: null } : settings;
}

/** Lists the changed settings. Only a setting that the file omits returns to its default. */
function settingChanges({ given }: DavitFile, wanted: AppSpec, current: AppSpec): Change[] {
  const before = leaves(current);
  const after = leaves(wanted);
  const defaults = leaves(defaultsOf(wanted));
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => {
      const [from = null, to = null] = [before.get(name), after.get(name)];
      if (from === null) return change('+', 'setting', name, from, to);
      const isReset = !given.has(name) && to === (defaults.get(name) ?? null);
      return change(isReset ? '-' : '~', 'setting', name, from, to);
    });
}

/**
 * Converts nested settings to a map from name, such as `health.path`, to JSON text. `undefined` and `null` are omitted.
 */
function leaves(settings: object, prefix = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(settings)) {
    // `port` is kept even if its value is `null`. `null` means that the app is a worker without a port.
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
