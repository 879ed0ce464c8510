/**
 * Maximum number of output lines in the record of a deployment. The record contains the last lines. The app logs
 * contain all lines.
 */
export const LINES_KEPT = 50;

/**
 * Minimum length of a secret. Davit removes the values of variables from output, but keeps shorter values. Values such
 * as "1", "true" or "5432" are in most texts, and secrets are longer.
 */
const SHORTEST_REDACTED = 6;

/**
 * Returns the last lines of a command's output, without the values of variables. Davit stores these lines with the
 * deployment. A command that fails may print a secret, for example a connection string, and users with the role viewer
 * can read the lines.
 */
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
