/**
 * Maximum number of output lines in the record of a deployment. The record contains the last lines. The app logs
 * contain all lines.
 */
export const LINES_KEPT = 50;

/** Minimum length of a value that is removed from output. Shorter values such as "1" or "true" are in most texts. */
const SHORTEST_REDACTED = 6;

/** Returns the last lines of output without values of variables. Users with the role viewer can read these lines. */
export function recordLines(output: string, variables: readonly { value: string }[]): string[] {
  const text = redact(output, variables).trimEnd();
  return text === '' ? [] : text.split('\n').slice(-LINES_KEPT);
}

/**
 * Replaces the values of variables in a text with `[redacted]`. Longer values are replaced first, because a shorter
 * value can be part of a longer one.
 */
export function redact(output: string, variables: readonly { value: string }[]): string {
  return variables
    .map(({ value }) => value)
    .filter((value) => value.length >= SHORTEST_REDACTED)
    .sort((a, b) => b.length - a.length)
    .reduce((text, value) => text.replaceAll(value, '[redacted]'), output);
}
