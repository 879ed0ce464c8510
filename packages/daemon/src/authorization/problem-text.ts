/**
 * Returns the text of a problem for a user. Error messages of HAProxy and other programs may contain names of apps in
 * other projects. Users with access to only some projects therefore get a different sentence.
 * @param projects ids of the projects that the user can see, or `null` for all projects
 * @param instead sentence for a user with access to only some projects
 */
export function problemFor(
  projects: readonly number[] | null,
  problem: string | null,
  instead: string | null,
): string | null {
  return projects === null || problem === null ? problem : instead;
}
