/**
 * Maximum number of names in a sentence about changed settings or variables. If there are more names, the sentence ends
 * with the number of omitted names.
 */
const MAXIMUM_NAMES = 12;

/** Returns a sentence with the names of changed settings or variables, or an empty list if there are no names. */
export function namesSentence(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > MAXIMUM_NAMES ? ` and ${names.length - MAXIMUM_NAMES} more` : '';
  return [`${what}: ${names.slice(0, MAXIMUM_NAMES).join(', ')}${more}.`];
}
