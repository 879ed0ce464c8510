/** Returns why a typed prefix of variables is invalid, or `null` if it is valid. */
export function prefixProblem(prefix: string): string | null {
  if (/^(?:[A-Z][A-Z0-9_]*_)?$/.test(prefix)) return null;
  return 'must be upper-case letters, digits and “_” with one at the end, such as “CACHE_”';
}
