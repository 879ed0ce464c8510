/** Which variables an app gets, of those of its project, its environment, what is attached to it, and its own. */
import { DavitError, type VariableSource } from '@davit/api';
import { SealBroken } from '../db/seal.ts';
import type { Reader } from '../db/store.ts';
import { type VariableLevel, type VariableRow, variablesOfMany } from '../db/tables/variables.ts';
import { type Attached, attachedTo } from './attached.ts';
import type { AppSpecDeps } from './deps.ts';

/** A variable as an app gets it, with its value in the open. */
export interface EffectiveVariable {
  key: string;
  value: string;
  source: VariableSource;
  secret: boolean;
}

/** The ids that an app's variables hang on. */
export interface VariableScope {
  id: number;
  environment: { id: number };
  project: { id: number };
}

type Opening = Pick<AppSpecDeps, 'sealer'>;

/** Where a variable's value belongs, for its seal. */
export function variablePlace(level: VariableLevel, ownerId: number, key: string): string {
  return `variables/${level}/${ownerId}/${key}`;
}

/** @throws DavitError conflict that names it, for a value that was changed or moved on disk */
export function openVariable({ sealer }: Opening, row: VariableRow): EffectiveVariable {
  try {
    const value = sealer.open(row.value, variablePlace(row.level, row.owner_id, row.key));
    return { key: row.key, value, source: row.level, secret: row.secret === 1 };
  } catch (cause) {
    if (!(cause instanceof SealBroken)) throw cause;
    throw unopened(row, cause);
  }
}

export function unopened({ key, level }: Pick<VariableRow, 'key' | 'level'>, cause?: unknown): DavitError {
  const message = `The variable ${key} of the ${level} cannot be opened, it was changed outside Davit: set it anew, or unset it.`;
  return new DavitError('conflict', message, { cause });
}

/** What a stored value is opened with, by who knows what to do when it does not open. */
export interface Opener {
  variable(row: VariableRow): EffectiveVariable;
  attached(attached: Attached): EffectiveVariable[];
}

/** @throws DavitError conflict, from both, for what was changed or moved on disk */
function strictly(opening: Opening): Opener {
  return { variable: (row) => openVariable(opening, row), attached: (attached) => effectiveOf(attached) };
}

/** Puts a word in place of each value that does not open, so that the others can be read all the same. */
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

/** The variables of an attachment. @param unopened in place of values that do not open; absent: that throws */
function effectiveOf({ what, variables }: Attached, unopened?: string): EffectiveVariable[] {
  return variables.map(({ key, value, secret }) => {
    const known = value ?? unopened;
    if (known === undefined) throw unopenedAttachment(what);
    return { key, value: known, source: 'attachment', secret };
  });
}

function unopenedAttachment(what: string): DavitError {
  const message = `The secrets of ${what} cannot be opened, they were changed outside Davit: give it new ones, or detach it.`;
  return new DavitError('conflict', message);
}

/** The levels of variables. Of two variables with one key, an app gets the one whose level comes later. */
const LEVELS: readonly VariableSource[] = ['project', 'environment', 'attachment', 'app'];

/** What an app gets of the variables of these levels, by key. */
export function overlay(levels: Partial<Record<VariableSource, readonly EffectiveVariable[]>>): EffectiveVariable[] {
  const all = LEVELS.flatMap((level) => levels[level] ?? []);
  const merged = new Map(all.map((variable) => [variable.key, variable]));
  return [...merged.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** What is attached to each of these apps, as variables, by app. */
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
 * What each of these apps gets at present, by app and key, with one statement a level.
 * @param opener what values are opened with; absent: {@link strictly}, and what that throws
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

/** Reads the variables of owners, one statement a level; each value is opened once. */
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
