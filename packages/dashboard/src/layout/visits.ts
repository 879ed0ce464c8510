/**
 * Maximum number of visited pages that are stored. The pages are stored only in memory, so that the next user of the
 * browser cannot see them.
 */
const MOST = 50;

let visited: readonly string[] = [];

export function noteVisit(path: string): void {
  visited = [path, ...visited.filter((one) => one !== path)].slice(0, MOST);
}

export function visitedPaths(): readonly string[] {
  return visited;
}

export function forgetVisits(): void {
  visited = [];
}
