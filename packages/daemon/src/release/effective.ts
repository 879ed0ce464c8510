/** Which variables an app gets: the project's, then its environment's, then its own; a later one takes a key over. */
import { DavitError } from '@davit/api';
import { SealBroken } from '../store/seal.ts';
import type { Reader } from '../store/store.ts';
import { type VariableLevel, type VariableRow, variablesOfMany } from '../store/variables.ts';
import type { Base } from './base.ts';

/** A variable as an app gets it, with its value in the open. */
export interface EffectiveVariable {
  key: string;
  value: string;
  source: VariableLevel;
  secret: boolean;
}

/** The ids that an app's variables hang on. */
export interface VariableScope {
  id: number;
  environment: { id: number };
  project: { id: number };
}

type Opening = Pick<Base, 'sealer'>;

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

/** Lays levels over each other, the later over the earlier; by key. */
export function overlay(...levels: readonly EffectiveVariable[][]): EffectiveVariable[] {
  const merged = new Map(levels.flat().map((variable) => [variable.key, variable]));
  return [...merged.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/**
 * What each of these apps gets at present, by app and key, with one statement a level.
 * @param open what is made of a row; absent: {@link openVariable}, and what that throws
 */
export function effectiveVariables(
  core: Opening,
  db: Reader,
  apps: readonly VariableScope[],
  open: (row: VariableRow) => EffectiveVariable = (row) => openVariable(core, row),
): Map<number, EffectiveVariable[]> {
  const ofOwners = (level: VariableLevel, ids: number[]) => {
    const rows = variablesOfMany(db, level, ids);
    return Map.groupBy(rows, (row) => row.owner_id);
  };
  const levels = {
    project: ofOwners('project', [...new Set(apps.map((app) => app.project.id))]),
    environment: ofOwners('environment', [...new Set(apps.map((app) => app.environment.id))]),
    app: ofOwners(
      'app',
      apps.map((app) => app.id),
    ),
  };
  const opened = new Map<VariableRow, EffectiveVariable>();
  const once = (row: VariableRow) => {
    const variable = opened.get(row) ?? open(row);
    opened.set(row, variable);
    return variable;
  };
  const of = (level: VariableLevel, id: number) => (levels[level].get(id) ?? []).map(once);
  return new Map(
    apps.map((app) => [
      app.id,
      overlay(of('project', app.project.id), of('environment', app.environment.id), of('app', app.id)),
    ]),
  );
}
