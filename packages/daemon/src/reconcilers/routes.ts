import { ProxyUnavailable, type RouteTable, type SyncReport } from '../adapters/proxy/proxy.ts';
import { routeTable } from '../routing/route-table.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/** Reconciler that keeps HAProxy running with the current routes. `problem` returns the problem of its last run. */
export interface Routes {
  task: Task;
  /**
   * Returns the current problem of HAProxy, or `null`. For example, apps are unreachable, HAProxy does not present a
   * certificate, or HAProxy does not listen for registry clients.
   */
  problem(): string | null;
}

const AGAIN_WHEN_AWAY_MS = 2_000;

/**
 * Updates HAProxy from the database. Another reconciler updates DNS names, so that a slow DNS container does not delay
 * a restart of HAProxy.
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
          problem = report === null ? null : (refusedCertificate(report) ?? report.registryProblem ?? null);
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
 * Sends the routes to HAProxy. Creates the HAProxy container again if it is missing.
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
 * Returns the HAProxy routes. They are cached until the next commit, because for 10,000 apps their computation takes
 * half a second.
 */
export function currentTable(base: ReconcilersDeps): RouteTable {
  // Each write of metrics clears the cached routes. So the cache contains an expired certificate for at most a minute.
  return base.store.memo('route table', () => routeTable(base));
}

function refusedCertificate({ certificateProblems: [first] }: SyncReport): string | null {
  if (first === undefined) return null;
  const number = /^c(\d+)-/.exec(first.name)?.[1] ?? first.name;
  return `The proxy does not use certificate ${number}: ${first.reason}`;
}
