import { ProxyUnavailable, type RouteTable, type SyncReport } from '../adapters/proxy/proxy.ts';
import { routeTable } from '../routing/route-table.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/** The reconciler of the proxy's routes, and its last result. */
export interface Routes {
  task: Task;
  /**
   * Returns why apps are unreachable, or why they do not have their own certificate, as a sentence. `null` if there is
   * no problem.
   */
  problem(): string | null;
}

const AGAIN_WHEN_AWAY_MS = 2_000;

/**
 * Keeps the proxy in sync with the database. Depends on no other work, so a slow resolver does not delay the restart of
 * the proxy.
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
 * Sends the routes to the proxy. Starts the proxy if its container is missing, for example because a user removed it.
 * @returns the report of the proxy, or `null` if the proxy had to be started
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
 * Returns the route table, which is computed once after each commit. For 10,000 apps the computation takes half a
 * second. A certificate that expires in the meantime takes effect with the next commit; measurements alone commit every
 * minute.
 */
export function currentTable(base: ReconcilersDeps): RouteTable {
  return base.store.memo('route table', () => routeTable(base));
}

function refusedCertificate({ certificateProblems: [first] }: SyncReport): string | null {
  if (first === undefined) return null;
  const number = /^c(\d+)-/.exec(first.name)?.[1] ?? first.name;
  return `The proxy does not present certificate ${number}: ${first.reason}`;
}
