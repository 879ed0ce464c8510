/**
 * Returns the text of a problem for a reader. Text of another program, such as HAProxy, may name apps of other
 * projects. A user who is limited to some projects therefore gets another sentence.
 * @param projects projects that the reader sees, or `null` for all projects
 * @param instead sentence for a limited user
 */
export function problemFor(
  projects: readonly number[] | null,
  problem: string | null,
  instead: string | null,
): string | null {
  return projects === null || problem === null ? problem : instead;
}
