/**
 * Converts a JSON field name, so that names that Docker treats as equal have the same result. Docker ignores case, and
 * treats some Unicode letters like `s` or `k`.
 */
export function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
