/**
 * Returns the form in which engines compare the names of JSON fields: whatever their case, and with the letters that
 * they take for an `s` or a `k`. Two fields with the same form are one field to an engine.
 */
export function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
