import type { Path } from '../diagnostic.ts';
import { keyMeant } from '../meaning/keys.ts';
import type { Scope } from '../meaning/scope.ts';
import { excerpt } from '../shape/words.ts';

/** Maximum number of apps and jobs in an error message about a dependency cycle. */
const MAX_LISTED = 6;

interface Waiting {
  path: Path;
  /** Keys of apps and jobs in the `depends_on` list. Keys that do not exist in the template are omitted. */
  on: string[];
}

/**
 * Checks the `depends_on` lists of apps and jobs. Each key in a list must exist, and the dependencies must not form a
 * cycle.
 */
export function checkDependencies(scope: Scope): void {
  const { apps, jobs = [] } = scope.draft;
  const waiting = new Map<string, Waiting>();
  for (const [kind, items] of [['apps', apps] as const, ['jobs', jobs] as const]) {
    for (const [index, { key, depends_on: on = [] }] of items.entries()) {
      const path = [kind, index, 'depends_on'];
      const known = on.filter((other, position) => checkDependency(scope, key, other, [...path, position]));
      if (!waiting.has(key)) waiting.set(key, { path, on: known });
    }
  }
  const cycle = findCycle(waiting);
  if (cycle === null) return;
  const listed =
    cycle.length > MAX_LISTED ? [...cycle.slice(0, MAX_LISTED).map(excerpt), 'others'] : cycle.map(excerpt);
  const message = `${[...listed, excerpt(cycle[0] ?? '')].join(' waits for ')}. None of them can start.`;
  scope.error('depends.cycle', waiting.get(cycle[0] ?? '')?.path ?? [], message);
}

function checkDependency(scope: Scope, key: string, other: string, at: Path): boolean {
  const { apps, jobs, error } = scope;
  if (other === key) {
    error('depends.self', at, `${excerpt(key)} cannot wait for itself.`);
    return false;
  }
  if (apps.has(other) || jobs.has(other)) return true;
  const message = `No app or job has the key ${excerpt(other)}.`;
  error('depends.unknown', at, message, keyMeant(scope, other, 'app', 'job'));
  return false;
}

/**
 * Returns the keys of the apps and jobs that form a dependency cycle. Returns `null` if there is no cycle. The search
 * starts with the first app or job of the template file.
 */
function findCycle(waiting: ReadonlyMap<string, Waiting>): string[] | null {
  const stuck = stuckOf(waiting);
  const trail: string[] = [];
  /*
   * Each app or job in `stuck` depends on another app or job in `stuck`. Therefore, following the dependencies leads to
   * a cycle.
   */
  for (let key = [...waiting.keys()].find((one) => stuck.has(one)); key !== undefined; ) {
    const seen = trail.indexOf(key);
    if (seen >= 0) return trail.slice(seen);
    trail.push(key);
    key = waiting.get(key)?.on.find((other) => stuck.has(other));
  }
  return null;
}

/**
 * Returns the apps and jobs that form a dependency cycle or depend on a cycle. Repeatedly removes apps and jobs without
 * remaining dependencies. The remaining apps and jobs are the result.
 */
function stuckOf(waiting: ReadonlyMap<string, Waiting>): Set<string> {
  const left = new Map([...waiting].map(([key, { on }]) => [key, on.length]));
  const waiters = new Map<string, string[]>();
  for (const [key, { on }] of waiting) {
    for (const other of on) {
      const known = waiters.get(other);
      if (known === undefined) waiters.set(other, [key]);
      else known.push(key);
    }
  }
  const free = [...left].flatMap(([key, count]) => (count === 0 ? [key] : []));
  for (let key = free.pop(); key !== undefined; key = free.pop()) {
    left.delete(key);
    for (const waiter of waiters.get(key) ?? []) {
      const count = (left.get(waiter) ?? 0) - 1;
      left.set(waiter, count);
      if (count === 0) free.push(waiter);
    }
  }
  return new Set(left.keys());
}
