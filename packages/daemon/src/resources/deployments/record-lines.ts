/**
 * Maximum number of output lines that Davit saves with a deployment. Davit saves the last lines. The app logs contain
 * all lines.
 */
export const LINES_KEPT = 50;

/**
 * Minimum length of a variable value that is removed from the output of containers. Shorter values such as "1" or
 * "true" occur in most texts.
 */
const SHORTEST_REDACTED = 6;

/**
 * Returns the last lines of a container's output. The values of variables are removed, because users with the role
 * viewer can read these lines.
 */
export function recordLines(output: string, variables: readonly { value: string }[]): string[] {
  const text = redact(output, variables).trimEnd();
  return text === '' ? [] : text.split('\n').slice(-LINES_KEPT);
}

/**
 * Replaces the values of variables in a text with `[redacted]`. Longer values are replaced before shorter values,
 * because a longer value can contain a shorter value.
 */
export function redact(output: string, variables: readonly { value: string }[]): string {
  return variables
    .map(({ value }) => value)
    .filter((value) => value.length >= SHORTEST_REDACTED)
    .sort((a, b) => b.length - a.length)
    .reduce((text, value) => text.replaceAll(value, '[redacted]'), output);
}
