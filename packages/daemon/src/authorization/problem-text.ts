/**
 * Returns the text of a problem for a reader. The text of another program, such as HAProxy, may name apps of other projects,
 * so a user who is limited to projects reads another sentence.
 * @param projects those that the reader sees; `null` for all
 * @param instead what a limited user reads
 */
export function problemFor(
  projects: readonly number[] | null,
  problem: string | null,
  instead: string | null,
): string | null {
  return projects === null || problem === null ? problem : instead;
}
