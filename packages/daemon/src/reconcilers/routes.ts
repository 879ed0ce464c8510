import { ProxyUnavailable, type RouteTable, type SyncReport } from '../adapters/proxy/proxy.ts';
import { routeTable } from '../routing/route-table.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/** The pass that keeps the routes, and what it last found of the proxy. */
export interface Routes {
  task: Task;
  /** Why apps cannot be reached, or not under their own certificate, in a sentence; null when they can. */
  problem(): string | null;
}

const AGAIN_WHEN_AWAY_MS = 2_000;

/**
 * Keeps the proxy in sync with the store. Depends on no other work, so a slow resolver does not delay the restart of
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

/** A proxy that is not there is started: somebody may have removed its container. Null: it was. */
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
 * Put together once for as long as nothing is committed, not at every look: for ten thousand apps it is half a second's work.
 * A certificate that ends meanwhile is noticed with the next commit, which measuring alone brings every minute.
 */
export function currentTable(base: ReconcilersDeps): RouteTable {
  return base.store.memo('route table', () => routeTable(base));
}

function refusedCertificate({ certificateProblems: [first] }: SyncReport): string | null {
  if (first === undefined) return null;
  const number = /^c(\d+)-/.exec(first.name)?.[1] ?? first.name;
  return `The proxy does not present certificate ${number}: ${first.reason}`;
}
