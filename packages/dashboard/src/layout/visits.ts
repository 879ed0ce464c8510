/**
 * The pages that were looked at on this page, the newest first. They are kept nowhere else: nothing of what somebody has
 * seen stays when they leave.
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
