/**
 * Returns a JSON field name in the form in which Docker compares field names. Docker ignores case, and treats some
 * Unicode letters as `s` or `k`. Two names with the same form are the same field for Docker.
 */
export function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
