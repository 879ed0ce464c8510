/** What people have set themselves since, and an update puts something else in the place of. */
import { isDeepStrictEqual } from 'node:util';
import { AppSpec } from '@davit/api';
import type { AppChange } from '../../installs/plan/changes.ts';
import { resolveText, type Values } from '../../installs/plan/references.ts';
import { appRequest } from '../../installs/plan/requests.ts';
import type { WantedApp, WantedDatabase } from '../../installs/plan/wanted.ts';
import { openAppFile } from '../../release/app-files.ts';
import type { AppTarget } from '../../release/app-target.ts';
import { databaseByReference } from '../../store/managed-database.ts';
import type { Core } from '../core.ts';
import { levelAsFound } from '../variables.ts';
import { appOf, withinMachine } from './apps.ts';
import type { Build } from './build.ts';

type Side = Pick<Build, 'wanted' | 'values'>;

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

/** Whether a database has other limits by now than the release gave it. */
export function hasOwnLimits(core: Core, from: Side, { key, reference, limits }: WantedDatabase): boolean {
  const row = databaseByReference(core.store, reference);
  if (row === undefined) return false;
  const found = { cpu: row.cpu, memory_bytes: row.memory_bytes };
  const old = from.wanted.databases.find((database) => database.key === key)?.limits;
  return [old, limits].every((of) => !isDeepStrictEqual(found, withinMachine(core, of ?? NO_LIMITS)));
}

const NO_LIMITS = { cpu: null, memory_bytes: null };

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
