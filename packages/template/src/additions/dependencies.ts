import type { Path } from '../diagnostic.ts';
import { keyMeant } from '../meaning/keys.ts';
import type { Scope } from '../meaning/scope.ts';
import { excerpt } from '../shape/words.ts';

/** Of a larger circle that many are enough to find it. */
const MOST_TOLD = 6;

interface Waiting {
  path: Path;
  /** What it waits for, of what is there. */
  on: string[];
}

/** What apps and jobs wait for is there, and comes to an end. */
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
  const told = cycle.length > MOST_TOLD ? [...cycle.slice(0, MOST_TOLD).map(excerpt), 'others'] : cycle.map(excerpt);
  const message = `${[...told, excerpt(cycle[0] ?? '')].join(' waits for ')}: none of them would start.`;
  scope.error('depends.cycle', waiting.get(cycle[0] ?? '')?.path ?? [], message);
}

function checkDependency(scope: Scope, key: string, other: string, at: Path): boolean {
  const { apps, jobs, error } = scope;
  if (other === key) {
    error('depends.self', at, `${excerpt(key)} cannot wait for itself.`);
    return false;
  }
  if (apps.has(other) || jobs.has(other)) return true;
  const message = `There is neither an app nor a job with the key ${excerpt(other)}.`;
  error('depends.unknown', at, message, keyMeant(scope, other, 'app', 'job'));
  return false;
}

/** Keys that wait for each other in a circle, beginning with the first in the file that can be; null: there is none. */
function findCycle(waiting: ReadonlyMap<string, Waiting>): string[] | null {
  const stuck = stuckOf(waiting);
  const trail: string[] = [];
  // Whoever is stuck waits for somebody who is: following them must come back to where one was.
  for (let key = [...waiting.keys()].find((one) => stuck.has(one)); key !== undefined; ) {
    const seen = trail.indexOf(key);
    if (seen >= 0) return trail.slice(seen);
    trail.push(key);
    key = waiting.get(key)?.on.find((other) => stuck.has(other));
  }
  return null;
}

/** Those left when again and again everybody is taken out who waits for nobody left. */
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
