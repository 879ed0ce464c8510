/**
 * Returns the text of a problem as a user may see it. Messages of HAProxy and other programs may name apps of other
 * projects. A user limited to some projects therefore gets a replacement sentence.
 * @param projects ids of the projects that the user can see, or `null` for all projects
 * @param instead replacement for a user limited to some projects
 */
export function problemFor(
  projects: readonly number[] | null,
  problem: string | null,
  instead: string | null,
): string | null {
  return projects === null || problem === null ? problem : instead;
}
