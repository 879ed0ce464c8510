/**
 * Computes the differences between two releases of a template by the keys of the resources. Ignores changes that users
 * made.
 */
import { isDeepStrictEqual } from 'node:util';
import type { InstallProblem } from '@davit/api';
import { resolveText, type Values } from './references.ts';
import { appRequest } from './requests.ts';
import { type StoreChange, storeChangeOf } from './store-changes.ts';
import type { Wanted, WantedApp, WantedDatabase, WantedStore } from './wanted.ts';

/**
 * One of the two template releases that an update compares. `values` contains the values of placeholders such as
 * `${db.main.password}`.
 */
export interface Side {
  wanted: Wanted;
  values: Values;
}

export interface Lists<T> {
  add: T[];
  remove: T[];
}

export interface AppChange {
  from: WantedApp;
  to: WantedApp;
  /** App settings that differ between the two releases, as an API patch. */
  patch: Record<string, unknown>;
  /** Names of the environment variables that an update sets and removes. */
  variables: { set: string[]; unset: string[] };
  domains: Lists<WantedApp['domains'][number]>;
  attach: Lists<WantedApp['attach'][number]>;
  /** Mount paths of the volumes that the update adds and removes. The data of removed volumes is not deleted. */
  volumes: Lists<string>;
  tcp: Lists<WantedApp['tcp'][number]>;
}

/**
 * Database or object store whose settings differ between two releases. An update does not change the settings, because
 * data already exists.
 */
export interface Differing {
  kind: 'database' | 'object_store';
  to: WantedDatabase | WantedStore;
  fields: { field: string; from: unknown; to: unknown }[];
}

const OF_NEW_ONES = ['version', 'extensions', 'username', 'database', 'expose'] as const;
const OF_NEW_STORES = ['version'] as const;

export interface Changes {
  databases: { add: WantedDatabase[]; change: WantedDatabase[]; keep: WantedDatabase[]; differ: Differing[] };
  stores: { add: WantedStore[]; change: StoreChange[]; keep: WantedStore[]; differ: Differing[] };
  apps: { add: WantedApp[]; change: AppChange[]; remove: WantedApp[] };
}

export function changesOf(from: Side, to: Side): Changes {
  const databases = parted(from.wanted.databases, to.wanted.databases);
  const stores = parted(from.wanted.stores, to.wanted.stores);
  const apps = parted(from.wanted.apps, to.wanted.apps);
  const limited = databases.both.filter(([a, b]) => !isDeepStrictEqual(a.limits, b.limits)).map(([, b]) => b);
  const changed = apps.both.map(([a, b]) => changeOf(a, from.values, b, to.values));
  return {
    databases: {
      add: databases.add,
      change: limited,
      keep: databases.remove,
      differ: databases.both.flatMap(([was, next]) => differing('database', OF_NEW_ONES, was, next)),
    },
    stores: {
      add: stores.add,
      change: stores.both.flatMap((pair) => storeChangeOf(from.wanted, to.wanted, pair)),
      keep: stores.remove,
      differ: stores.both.flatMap(([was, next]) => differing('object_store', OF_NEW_STORES, was, next)),
    },
    apps: { add: apps.add, change: changed.filter(isChange), remove: apps.remove },
  };
}

/**
 * Returns a problem for each database whose engine differs in the new release. Davit cannot convert a database to
 * another engine.
 */
export function engineProblems(from: Wanted, to: Wanted): InstallProblem[] {
  const { both } = parted(from.databases, to.databases);
  return both
    .filter(([was, next]) => was.engine !== next.engine)
    .map(([was, next]) => ({
      ...{ field: `databases.${next.key}`, code: 'not_allowed' },
      message: `${was.reference} is a ${was.engine} database, but the release uses ${next.engine} instead. Install the release as a second installation, then move the data.`,
    }));
}

function differing<T extends WantedDatabase | WantedStore>(
  kind: Differing['kind'],
  ofNewOnes: readonly (keyof T & string)[],
  from: T,
  to: T,
): Differing[] {
  const fields = ofNewOnes
    .filter((field) => !isDeepStrictEqual(from[field], to[field]))
    .map((field) => ({ field, from: from[field], to: to[field] }));
  return fields.length === 0 ? [] : [{ kind, to, fields }];
}

function changeOf(from: WantedApp, before: Values, to: WantedApp, after: Values): AppChange {
  const [old, next] = [settingsOf(from, before), settingsOf(to, after)];
  const patch = Object.fromEntries(
    [...new Set([...Object.keys(old), ...Object.keys(next)])]
      .filter((field) => !isDeepStrictEqual(old[field], next[field]))
      .map((field) => [field, next[field] ?? null]),
  );
  return {
    ...{ from, to, patch, variables: variableChanges(from, before, to, after) },
    ...{ domains: listChanges(from.domains, to.domains), attach: listChanges(from.attach, to.attach) },
    ...{ volumes: listChanges(from.volumes, to.volumes), tcp: listChanges(from.tcp, to.tcp) },
  };
}

/**
 * Returns an app's settings as an API patch. If the template contains no port, `port` is `image`, which means the port
 * that the image exposes.
 */
function settingsOf(app: WantedApp, values: Values): Record<string, unknown> {
  const { project: _, environment: __, name: ___, port = 'image', ...rest } = appRequest(app, values);
  return { ...rest, port };
}

function variableChanges(from: WantedApp, before: Values, to: WantedApp, after: Values): AppChange['variables'] {
  const isSame = (name: string) =>
    Object.hasOwn(from.env, name) &&
    resolveText(from.env[name] ?? '', before) === resolveText(to.env[name] ?? '', after);
  return {
    set: Object.keys(to.env).filter((name) => !isSame(name)),
    unset: Object.keys(from.env).filter((name) => !Object.hasOwn(to.env, name)),
  };
}

function isChange({ patch, variables, domains, attach, volumes, tcp }: AppChange): boolean {
  const lists = [
    variables.set,
    variables.unset,
    ...[domains, attach, volumes, tcp].flatMap(({ add, remove }) => [add, remove]),
  ];
  return Object.keys(patch).length > 0 || lists.some((list) => list.length > 0);
}

function listChanges<T>(from: readonly T[], to: readonly T[]): Lists<T> {
  const without = (list: readonly T[], other: readonly T[]) =>
    list.filter((one) => !other.some((two) => isDeepStrictEqual(one, two)));
  return { add: without(to, from), remove: without(from, to) };
}

function parted<T extends { key: string }>(from: readonly T[], to: readonly T[]) {
  const old = new Map(from.map((one) => [one.key, one]));
  const next = new Set(to.map(({ key }) => key));
  return {
    add: to.filter(({ key }) => !old.has(key)),
    remove: from.filter(({ key }) => !next.has(key)),
    both: to.flatMap((one) => {
      const before = old.get(one.key);
      return before === undefined ? [] : [[before, one] as const];
    }),
  };
}
