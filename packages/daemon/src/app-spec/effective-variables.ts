/**
 * Merges the environment variables of an app from four levels: project, environment, attachments and the app itself.
 */
import { DavitError, type VariableSource } from '@davit/api';
import { SealBroken } from '../db/seal.ts';
import type { Reader } from '../db/store.ts';
import { type VariableLevel, type VariableRow, variablesOfMany } from '../db/tables/variables.ts';
import { type Attached, attachedTo } from './attached.ts';
import type { AppSpecDeps } from './deps.ts';

/**
 * Environment variable of an app, with its decrypted value and its level. The level is project, environment, attachment
 * or app.
 */
export interface EffectiveVariable {
  key: string;
  value: string;
  source: VariableSource;
  secret: boolean;
}

/** Ids of an app, its environment and its project, because variables can be set for each of the three. */
export interface VariableScope {
  id: number;
  environment: { id: number };
  project: { id: number };
}

type Opening = Pick<AppSpecDeps, 'sealer'>;

/** Returns the additional authenticated data (AAD) for the AES-GCM encryption of a variable's value. */
export function variableLocation(level: VariableLevel, ownerId: number, key: string): string {
  return `variables/${level}/${ownerId}/${key}`;
}

/**
 * Decrypts an environment variable.
 * @throws DavitError conflict with the name of the variable, if the encrypted value was changed or copied from another
 * row
 */
export function openVariable({ sealer }: Opening, row: VariableRow): EffectiveVariable {
  try {
    const value = sealer.open(row.value, variableLocation(row.level, row.owner_id, row.key));
    return { key: row.key, value, source: row.level, secret: row.secret === 1 };
  } catch (cause) {
    if (!(cause instanceof SealBroken)) throw cause;
    throw unopened(row, cause);
  }
}

export function unopened({ key, level }: Pick<VariableRow, 'key' | 'level'>, cause?: unknown): DavitError {
  const message = `The variable ${key} of the ${level} cannot be decrypted, because it was changed outside Davit. Set the variable again, or remove it.`;
  return new DavitError('conflict', message, { cause });
}

/** Functions that decrypt variables. The implementations handle values that cannot be decrypted in different ways. */
export interface Opener {
  variable(row: VariableRow): EffectiveVariable;
  attached(attached: Attached): EffectiveVariable[];
}

/**
 * Returns functions that decrypt variables. They throw a DavitError `conflict` if a value was changed or copied from
 * another row.
 */
function strictly(opening: Opening): Opener {
  return { variable: (row) => openVariable(opening, row), attached: (attached) => effectiveOf(attached) };
}

/**
 * Returns functions that decrypt variables. `unopened` replaces a value that cannot be decrypted, so that the other
 * variables stay usable.
 */
export function leniently(opening: Opening, unopened: string): Opener {
  return {
    variable(row) {
      try {
        return openVariable(opening, row);
      } catch (error) {
        if (!(error instanceof DavitError)) throw error;
        return { key: row.key, value: unopened, source: row.level, secret: row.secret === 1 };
      }
    },
    attached: (attached) => effectiveOf(attached, unopened),
  };
}

/**
 * Returns the variables from an attached database or bucket.
 * @param unopened replaces a value that cannot be decrypted
 * @throws DavitError conflict if a value cannot be decrypted and there is no replacement
 */
function effectiveOf({ what, variables }: Attached, unopened?: string): EffectiveVariable[] {
  return variables.map(({ key, value, secret }) => {
    const known = value ?? unopened;
    if (known === undefined) throw unopenedAttachment(what);
    return { key, value: known, source: 'attachment', secret };
  });
}

function unopenedAttachment(what: string): DavitError {
  const message = `The credentials of ${what} cannot be decrypted, because they were changed outside Davit. Set new credentials, or detach the app.`;
  return new DavitError('conflict', message);
}

/**
 * Sources of an app's variables, lowest precedence first. If two sources set the same variable, the app gets the value
 * of the later source.
 */
const LEVELS: readonly VariableSource[] = ['project', 'environment', 'attachment', 'app'];

/**
 * Merges the variables of all levels into one list for an app, sorted by name. If several levels set the same variable,
 * the value of the last level in `LEVELS` is used.
 */
export function overlay(levels: Partial<Record<VariableSource, readonly EffectiveVariable[]>>): EffectiveVariable[] {
  const all = LEVELS.flatMap((level) => levels[level] ?? []);
  const merged = new Map(all.map((variable) => [variable.key, variable]));
  return [...merged.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Returns a map from app id to the variables that the app gets from its attached databases and buckets. */
export function attachedVariables(
  core: Opening,
  db: Reader,
  appIds: readonly number[],
  opener: Opener = strictly(core),
): Map<number, EffectiveVariable[]> {
  const attached = attachedTo(core, db, appIds);
  return new Map(appIds.map((id) => [id, (attached.get(id) ?? []).flatMap((one) => opener.attached(one))]));
}

/**
 * Returns the current variables of apps as a map from app id. The number of SQL queries is small for any number of
 * apps.
 * @throws DavitError if the default `opener` cannot decrypt a value
 */
export function effectiveVariables(
  core: Opening,
  db: Reader,
  apps: readonly VariableScope[],
  opener: Opener = strictly(core),
): Map<number, EffectiveVariable[]> {
  const appIds = apps.map((app) => app.id);
  const of = levelReader(db, opener, {
    project: [...new Set(apps.map((app) => app.project.id))],
    environment: [...new Set(apps.map((app) => app.environment.id))],
    app: appIds,
  });
  const attached = attachedVariables(core, db, appIds, opener);
  return new Map(
    apps.map(({ id, project, environment }) => [
      id,
      overlay({
        project: of('project', project.id),
        environment: of('environment', environment.id),
        attachment: attached.get(id) ?? [],
        app: of('app', id),
      }),
    ]),
  );
}

/**
 * Reads the variables of projects, environments and apps with one SQL query per level. Decrypts each value at most
 * once.
 */
function levelReader(
  db: Reader,
  opener: Opener,
  ownersOf: Record<VariableLevel, readonly number[]>,
): (level: VariableLevel, id: number) => EffectiveVariable[] {
  const ofOwners = (level: VariableLevel) =>
    Map.groupBy(variablesOfMany(db, level, ownersOf[level]), (row) => row.owner_id);
  const levels = { project: ofOwners('project'), environment: ofOwners('environment'), app: ofOwners('app') };
  const opened = new Map<VariableRow, EffectiveVariable>();
  const once = (row: VariableRow) => {
    const variable = opened.get(row) ?? opener.variable(row);
    opened.set(row, variable);
    return variable;
  };
  return (level, id) => (levels[level].get(id) ?? []).map(once);
}
