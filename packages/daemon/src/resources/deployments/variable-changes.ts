import type { EffectiveVariable } from '../../app-spec/effective-variables.ts';

/**
 * Maximum number of variable names in a message about changed variables. If there are more names, the message ends with
 * the number of omitted names.
 */
const MAXIMUM_NAMES = 12;

/**
 * Describes the differences between the variables of two releases as sentences. The sentences contain the names of the
 * variables, but never their values.
 */
export function variableChanges(before: readonly EffectiveVariable[], after: readonly EffectiveVariable[]): string[] {
  const [then, now] = [valuesOf(before), valuesOf(after)];
  const come = [...now.keys()].filter((key) => !then.has(key));
  const go = [...then.keys()].filter((key) => !now.has(key));
  const change = [...now].flatMap(([key, value]) => (then.has(key) && then.get(key) !== value ? [key] : []));
  return [
    ...sentence('Added variables', come),
    ...sentence('Removed variables', go),
    ...sentence('Changed variables', change),
  ];
}

function valuesOf(variables: readonly EffectiveVariable[]): ReadonlyMap<string, string> {
  return new Map(variables.map(({ key, value }) => [key, value]));
}

function sentence(what: string, keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  const more = keys.length > MAXIMUM_NAMES ? ` and ${keys.length - MAXIMUM_NAMES} more` : '';
  return [`${what}: ${keys.slice(0, MAXIMUM_NAMES).join(', ')}${more}.`];
}
