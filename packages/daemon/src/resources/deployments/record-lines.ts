/** The last of what a container wrote: more is in its logs. */
export const LINES_KEPT = 50;

/** Shorter values («1», «true», «5432») are in every text, and no secret is that short. */
const SHORTEST_REDACTED = 6;

/**
 * What a deployment's record keeps of an output. Whatever prints its connection string, a migration tool or a server
 * that does not start, must not put it into a record that viewers read.
 */
export function recordLines(output: string, variables: readonly { value: string }[]): string[] {
  const text = redact(output, variables).trimEnd();
  return text === '' ? [] : text.split('\n').slice(-LINES_KEPT);
}

/** The text without any value of the variables. The longest value goes first: a shorter one may be a part of it. */
export function redact(output: string, variables: readonly { value: string }[]): string {
  return variables
    .map(({ value }) => value)
    .filter((value) => value.length >= SHORTEST_REDACTED)
    .sort((a, b) => b.length - a.length)
    .reduce((text, value) => text.replaceAll(value, '[redacted]'), output);
}
