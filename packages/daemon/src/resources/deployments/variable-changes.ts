import type { EffectiveVariable } from '../../app-spec/effective-variables.ts';
import { namesSentence } from './names-sentence.ts';

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
    ...namesSentence('Added variables', come),
    ...namesSentence('Removed variables', go),
    ...namesSentence('Changed variables', change),
  ];
}

function valuesOf(variables: readonly EffectiveVariable[]): ReadonlyMap<string, string> {
  return new Map(variables.map(({ key, value }) => [key, value]));
}
