import type { RevisionComparison } from '@davit/api';
import type { EffectiveVariable } from '../../app-spec/effective-variables.ts';

/** Rules for the visibility of variables. */
export interface VariableSight {
  /** Returns the value for the reader, or `null` if the value is hidden. */
  shown: (variable: EffectiveVariable) => string | null;
  isSecret: (variable: EffectiveVariable) => boolean;
}

/** Returns the variables that differ, by name. The level of a variable does not matter. */
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
    // A value that is secret in one of the revisions is hidden in both.
    const show = (variable: EffectiveVariable | undefined) => (variable ? shown({ ...variable, secret }) : null);
    return [{ key, change, from: show(a), to: show(b), secret } as const];
  });
}

function byKey(variables: readonly EffectiveVariable[]): Map<string, EffectiveVariable> {
  return new Map(variables.map((variable) => [variable.key, variable]));
}
