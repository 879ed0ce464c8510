/**
 * Splits a name at the positions where a line break does not split a word: after `/` and `:`, and before `.`. An IPv4
 * address is one part.
 */
export function wrapParts(text: string): string[] {
  return /^[\d.]+$/.test(text) ? [text] : text.split(/(?<=[/:])|(?=\.)/);
}
