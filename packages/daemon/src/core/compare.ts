import { isDeepStrictEqual } from 'node:util';
import type { RevisionComparison } from '@davit/api';
import type { EffectiveVariable } from '../release/effective.ts';
import { type Fields, isFields } from './fields.ts';

/** The settings that differ, each by its path; a side on which one is not set has no value. */
export function settingsDifferences(from: object, to: object): RevisionComparison['settings'] {
  return differences(from as Fields, to as Fields, '');
}

function differences(from: Fields, to: Fields, prefix: string): RevisionComparison['settings'] {
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return keys.flatMap((key) => {
    const [a, b] = [from[key], to[key]];
    if (isDeepStrictEqual(a, b)) return [];
    if (isFields(a) && isFields(b)) return differences(a, b, `${prefix}${key}.`);
    return [{ path: `${prefix}${key}`, ...(a !== undefined && { from: a }), ...(b !== undefined && { to: b }) }];
  });
}

/** What who asks may see of variables. */
export interface VariableSight {
  /** Null where it is hidden. */
  shown: (variable: EffectiveVariable) => string | null;
  isSecret: (variable: EffectiveVariable) => boolean;
}

/** The variables that differ, by name. Where one comes from makes no difference. */
export function variableDifferences(
  from: readonly EffectiveVariable[],
  to: readonly EffectiveVariable[],
  { shown, isSecret }: VariableSight,
): RevisionComparison['variables'] {
  const [before, after] = [byKey(from), byKey(to)];
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  return keys.flatMap((key) => {
    const [a, b] = [before.get(key), after.get(key)];
    if (a?.value === b?.value && a?.secret === b?.secret) return [];
    const change = a === undefined ? 'added' : b === undefined ? 'removed' : 'changed';
    const secret = (a !== undefined && isSecret(a)) || (b !== undefined && isSecret(b));
    // A value that is secret on one side only is the secret all the same.
    const show = (variable: EffectiveVariable | undefined) => (variable ? shown({ ...variable, secret }) : null);
    return [{ key, change, from: show(a), to: show(b), secret } as const];
  });
}

function byKey(variables: readonly EffectiveVariable[]): Map<string, EffectiveVariable> {
  return new Map(variables.map((variable) => [variable.key, variable]));
}
