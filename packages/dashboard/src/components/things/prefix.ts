/** Returns an error message for an invalid prefix of environment variables, or `null` if the prefix is valid. */
export function prefixProblem(prefix: string): string | null {
  if (/^(?:[A-Z][A-Z0-9_]*_)?$/.test(prefix)) return null;
  return 'A prefix contains uppercase letters, digits and “_”, and ends with “_”, such as “CACHE_”.';
}
