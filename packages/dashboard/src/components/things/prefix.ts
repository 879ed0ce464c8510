/** Returns why a typed prefix of variables is invalid, or `null` if it is valid. */
export function prefixProblem(prefix: string): string | null {
  if (/^(?:[A-Z][A-Z0-9_]*_)?$/.test(prefix)) return null;
  return 'Use uppercase letters, digits and “_”, and end with “_”, such as “CACHE_”.';
}
