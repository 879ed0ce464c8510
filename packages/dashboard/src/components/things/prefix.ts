/** A prefix of variables as the instance takes it; said while it is typed. */
export function prefixProblem(prefix: string): string | null {
  if (/^(?:[A-Z][A-Z0-9_]*_)?$/.test(prefix)) return null;
  return 'must be upper-case letters, digits and «_» with one at the end, such as «CACHE_»';
}
