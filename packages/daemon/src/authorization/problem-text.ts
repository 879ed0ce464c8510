/**
 * Returns the text of a problem as a user may see it. A user limited to some projects gets a different sentence,
 * because error messages of HAProxy and other programs may name apps of other projects.
 * @param projects ids of the projects that the user can see, or `null` for all projects
 * @param instead sentence for a user limited to some projects
 */
export function problemFor(
  projects: readonly number[] | null,
  problem: string | null,
  instead: string | null,
): string | null {
  return projects === null || problem === null ? problem : instead;
}
