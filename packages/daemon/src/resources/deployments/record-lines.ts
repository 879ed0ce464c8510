/** Maximum number of output lines in a record. The record keeps the last lines, and the logs have all of them. */
export const LINES_KEPT = 50;

/**
 * Minimum length of a redacted value. Shorter values ("1", "true", "5432") occur in every text, and no secret is that
 * short.
 */
const SHORTEST_REDACTED = 6;

/**
 * Returns the lines of an output for a deployment's record, without values of variables. A migration tool or a failing
 * server can print its connection string, and viewers can read the record.
 */
export function recordLines(output: string, variables: readonly { value: string }[]): string[] {
  const text = redact(output, variables).trimEnd();
  return text === '' ? [] : text.split('\n').slice(-LINES_KEPT);
}

/**
 * Replaces the values of variables in a text. The longest value comes first, because a shorter value can be a part of
 * it.
 */
export function redact(output: string, variables: readonly { value: string }[]): string {
  return variables
    .map(({ value }) => value)
    .filter((value) => value.length >= SHORTEST_REDACTED)
    .sort((a, b) => b.length - a.length)
    .reduce((text, value) => text.replaceAll(value, '[redacted]'), output);
}
