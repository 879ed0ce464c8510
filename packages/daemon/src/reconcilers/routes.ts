import { ProxyUnavailable, type RouteTable, type SyncReport } from '../adapters/proxy/proxy.ts';
import { routeTable } from '../routing/route-table.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/**
 * Reconciler that keeps HAProxy running with the current routes. `problem` returns the problem that its last run found.
 */
export interface Routes {
  task: Task;
  /**
   * Returns the reason why apps are unreachable, or why HAProxy does not present a certificate. `null` if there is no
   * problem.
   */
  problem(): string | null;
}

const AGAIN_WHEN_AWAY_MS = 2_000;

/**
 * Updates HAProxy from the database. DNS names have their own reconciler, because a slow DNS container must not delay a
 * restart of HAProxy.
 */
export function keepRoutes(base: ReconcilersDeps): Routes {
  let problem: string | null = null;
  return {
    problem: () => problem,
    task: {
      name: 'routes',
      everyMs: 10_000,
      async run() {
        try {
          const report = await route(base);
          problem = report === null ? null : refusedCertificate(report);
          return undefined;
        } catch (error) {
          if (!(error instanceof ProxyUnavailable)) throw error;
          problem = error.message;
          return AGAIN_WHEN_AWAY_MS;
        }
      },
    },
  };
}

/**
 * Sends the routes to HAProxy. If the HAProxy container is missing, for example because a user removed it, creates it
 * again.
 * @returns the report of HAProxy, or `null` if the container was created
 */
async function route(base: ReconcilersDeps): Promise<SyncReport | null> {
  try {
    return await base.proxy.sync(currentTable(base));
  } catch (error) {
    if (!(error instanceof ProxyUnavailable)) throw error;
    await base.proxy.ensure(currentTable(base));
    return null;
  }
}

/**
 * Returns the HAProxy routes. Davit caches them until the next SQLite commit, because computing them takes half a
 * second for 10,000 apps. So Davit notices an expired certificate only after a commit. This takes at most a minute,
 * because Davit commits metrics every minute.
 */
export function currentTable(base: ReconcilersDeps): RouteTable {
  return base.store.memo('route table', () => routeTable(base));
}

function refusedCertificate({ certificateProblems: [first] }: SyncReport): string | null {
  if (first === undefined) return null;
  const number = /^c(\d+)-/.exec(first.name)?.[1] ?? first.name;
  return `The proxy does not use certificate ${number}: ${first.reason}`;
}
