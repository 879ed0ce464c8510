import type { RevisionComparison } from '@davit/api';
import type { EffectiveVariable } from '../../app-spec/effective-variables.ts';

export interface VariableSight {
  /** Returns the value of a variable as the user may see it. Returns `null` if the value is hidden. */
  shown: (variable: EffectiveVariable) => string | null;
  isSecret: (variable: EffectiveVariable) => boolean;
}

/**
 * Returns the variables with different values in two revisions, sorted by name. The level of a variable (project,
 * environment or app) is ignored.
 */
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
    // If the variable is a secret in at least one of the two revisions, hide its value in both revisions.
    const show = (variable: EffectiveVariable | undefined) => (variable ? shown({ ...variable, secret }) : null);
    return [{ key, change, from: show(a), to: show(b), secret } as const];
  });
}

function byKey(variables: readonly EffectiveVariable[]): Map<string, EffectiveVariable> {
  return new Map(variables.map((variable) => [variable.key, variable]));
}
