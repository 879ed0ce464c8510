/**
 * Visited pages of this page load, newest first. They are stored only in memory, so that no trace stays after the user
 * leaves.
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
