/**
 * Returns the form in which Docker compares a JSON field name. Docker ignores case and treats some Unicode letters as
 * `s` or `k`, so two names with the same form are the same field for Docker.
 */
export function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
