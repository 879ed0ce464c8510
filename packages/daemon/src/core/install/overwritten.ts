/** What people have set themselves since, and an update puts something else in the place of. */
import { isDeepStrictEqual } from 'node:util';
import { AppSpec } from '@davit/api';
import type { AppChange } from '../../installs/plan/changes.ts';
import { resolveText, type Values } from '../../installs/plan/references.ts';
import { appRequest } from '../../installs/plan/requests.ts';
import type { StoreChange } from '../../installs/plan/store-changes.ts';
import type { WantedApp, WantedDatabase } from '../../installs/plan/wanted.ts';
import { openAppFile } from '../../release/app-files.ts';
import type { AppTarget } from '../../release/app-target.ts';
import { databaseByReference } from '../../store/managed-database.ts';
import { managedStoreByName } from '../../store/managed-store.ts';
import type { Core } from '../core.ts';
import { levelAsFound } from '../variables.ts';
import { appOf, NO_LIMITS, withinMachine } from './apps.ts';
import type { Build } from './build.ts';

type Side = Pick<Build, 'wanted' | 'values'>;
type Limits = WantedDatabase['limits'];
/** What one has, and what its releases give it. */
type OfLimits = [
  row: { cpu: number | null; memory_bytes: number | null } | undefined,
  releases: (Limits | undefined)[],
];

/** Names of variables and of settings of an app that is there. */
export function overwrittenOf(
  core: Core,
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

/** Says that a database or a store has other limits by now than the release gave it, and than the next one gives it. */
export function ownLimitsOf(core: Core, from: Side, change: StoreChange | WantedDatabase): string[] {
  const [row, releases] = 'to' in change ? ofStore(core, change) : ofDatabase(core, from, change);
  if (row === undefined) return [];
  const found = { cpu: row.cpu, memory_bytes: row.memory_bytes };
  const isOwn = releases.every((limits) => !isDeepStrictEqual(found, withinMachine(core, limits ?? NO_LIMITS)));
  return isOwn ? ['limits'] : [];
}

function ofStore(core: Core, { from, to, isLimited }: StoreChange): OfLimits {
  return [isLimited ? managedStoreByName(core.store, to.reference) : undefined, [from.limits, to.limits]];
}

function ofDatabase(core: Core, from: Side, { key, reference, limits }: WantedDatabase): OfLimits {
  const old = from.wanted.databases.find((database) => database.key === key)?.limits;
  return [databaseByReference(core.store, reference), [old, limits]];
}

function textOf({ env }: WantedApp, values: Values, name: string): string | undefined {
  return Object.hasOwn(env, name) ? resolveText(env[name] ?? '', values) : undefined;
}

/** With every default, and files by what they hold. */
function settingsOf(core: Core, app: WantedApp, values: Values): Record<string, unknown> {
  const { project: _, environment: __, name: ___, limits, ...request } = appRequest(app, values);
  const { files, ...spec } = AppSpec.parse({ ...request, limits: limits && withinMachine(core, limits) });
  return { ...spec, files: files.map(({ path, mode, content }) => ({ path, mode, content })) };
}

function settingsIn(core: Core, { id, spec: { files, ...spec } }: AppTarget): Record<string, unknown> {
  const held = files.map((file) => ({ path: file.path, mode: file.mode, content: openAppFile(core, id, file) }));
  return { ...spec, files: held };
}
