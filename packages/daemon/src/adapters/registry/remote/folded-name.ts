/**
 * Converts a JSON field name, so that all names that Docker treats as equal have the same result. Docker ignores case,
 * and it treats some Unicode letters as `s` or `k`.
 */
export function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
