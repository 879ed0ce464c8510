/**
 * Returns the form in which engines compare names of JSON fields. Engines ignore case and treat some other letters as
 * `s` or `k`. An engine reads two fields with equal forms as one field.
 */
export function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
