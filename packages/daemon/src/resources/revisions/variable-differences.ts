import type { RevisionComparison } from '@davit/api';
import type { EffectiveVariable } from '../../app-spec/effective-variables.ts';

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
