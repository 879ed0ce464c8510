/** Finds settings that users changed after the installation and that an update of the template would overwrite. */
import { isDeepStrictEqual } from 'node:util';
import { AppSpec } from '@davit/api';
import { openAppFile } from '../../../app-spec/app-files.ts';
import type { AppTarget } from '../../../app-spec/app-target.ts';
import { databaseByReference } from '../../../db/tables/managed-database.ts';
import { managedStoreByName } from '../../../db/tables/managed-store.ts';
import { levelAsFound } from '../../variables/variables.ts';
import type { TemplatesDeps } from '../deps.ts';
import type { AppChange } from '../plan/changes.ts';
import { resolveText, type Values } from '../plan/references.ts';
import { appRequest } from '../plan/requests.ts';
import type { StoreChange } from '../plan/store-changes.ts';
import type { WantedApp, WantedDatabase } from '../plan/wanted.ts';
import { appOf, NO_LIMITS, withinMachine } from './apps.ts';
import type { Build } from './build.ts';

type Side = Pick<Build, 'wanted' | 'values'>;
type Limits = WantedDatabase['limits'];
/**
 * Limits of a database or object store: the current limits, the limits in the installed release, and the limits in the
 * next release.
 */
type OfLimits = [
  row: { cpu: number | null; memory_bytes: number | null } | undefined,
  releases: (Limits | undefined)[],
];

/**
 * Returns the names of variables and settings of an app that users have changed and that the update would overwrite.
 */
export function overwrittenOf(
  core: TemplatesDeps,
  from: Side,
  to: Side,
  { from: was, to: next, patch, variables }: AppChange,
): string[] {
  const app = appOf(core, next.reference);
  const found = settingsIn(core, app);
  const [old, wanted] = [settingsOf(core, was, from.values), settingsOf(core, next, to.values)];
  const isOwn = (field: string) =>
    !isDeepStrictEqual(found[field], old[field]) && !isDeepStrictEqual(found[field], wanted[field]);
  const level = levelAsFound(core, core.store, { level: 'app', id: app.id });
  const isOwnValue = (name: string) => {
    const value = level.get(name)?.value;
    const [before, after] = [textOf(was, from.values, name), textOf(next, to.values, name)];
    return value !== before && value !== after;
  };
  return [...Object.keys(patch).filter(isOwn), ...[...variables.set, ...variables.unset].filter(isOwnValue)];
}

/**
 * Returns `['limits']` if an update would overwrite limits that a user has set, otherwise `[]`. A user has set the
 * limits if they differ from both releases.
 */
export function ownLimitsOf(core: TemplatesDeps, from: Side, change: StoreChange | WantedDatabase): string[] {
  const [row, releases] = 'to' in change ? ofStore(core, change) : ofDatabase(core, from, change);
  if (row === undefined) return [];
  const found = { cpu: row.cpu, memory_bytes: row.memory_bytes };
  const isOwn = releases.every((limits) => !isDeepStrictEqual(found, withinMachine(core, limits ?? NO_LIMITS)));
  return isOwn ? ['limits'] : [];
}

function ofStore(core: TemplatesDeps, { from, to, isLimited }: StoreChange): OfLimits {
  return [isLimited ? managedStoreByName(core.store, to.reference) : undefined, [from.limits, to.limits]];
}

function ofDatabase(core: TemplatesDeps, from: Side, { key, reference, limits }: WantedDatabase): OfLimits {
  const old = from.wanted.databases.find((database) => database.key === key)?.limits;
  return [databaseByReference(core.store, reference), [old, limits]];
}

function textOf({ env }: WantedApp, values: Values, name: string): string | undefined {
  return Object.hasOwn(env, name) ? resolveText(env[name] ?? '', values) : undefined;
}

/** Returns all settings of an app in a template release. They include defaults and the contents of files. */
function settingsOf(core: TemplatesDeps, app: WantedApp, values: Values): Record<string, unknown> {
  const { project: _, environment: __, name: ___, limits, ...request } = appRequest(app, values);
  const { files, ...spec } = withDefaults({ ...request, limits: limits && withinMachine(core, limits) });
  return { ...spec, files: files.map(({ path, mode, content }) => ({ path, mode, content })) };
}

/**
 * Adds default values for missing settings. Keeps invalid values unchanged, because an earlier Davit version may have
 * accepted them.
 */
function withDefaults(request: Record<string, unknown>): AppSpec {
  const entries = Object.entries(AppSpec.shape).map(([field, schema]) => {
    const parsed = schema.safeParse(request[field]);
    return [field, parsed.success ? parsed.data : request[field]] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as AppSpec;
}

function settingsIn(core: TemplatesDeps, { id, spec: { files, ...spec } }: AppTarget): Record<string, unknown> {
  const held = files.map((file) => ({ path: file.path, mode: file.mode, content: openAppFile(core, id, file) }));
  return { ...spec, files: held };
}
