import type { NameRecord } from '../engine/network.ts';
import { ProxyUnavailable, type RouteTable, type SyncReport } from '../proxy/proxy.ts';
import type { Base } from '../release/base.ts';
import { nameRecords } from '../release/names.ts';
import { routeTable } from '../release/routing.ts';
import { deleteInstance, instancesInRole } from '../store/instance.ts';
import type { Task } from './reconciler.ts';

/** The pass that keeps the routes, and what it last found of the proxy. */
export interface Routes {
  task: Task;
  /** Why apps cannot be reached, or not under their own certificate, in a sentence; null when they can. */
  problem(): string | null;
}

const AGAIN_WHEN_AWAY_MS = 2_000;

/** Keeps the proxy and the internal names as the store says, and frees the addresses that they have forgotten. */
export function keepRoutes(base: Base): Routes {
  let problem: string | null = null;
  const follow = async (): Promise<void> => {
    // Read before the table is made: what is gone by now cannot be in it.
    const gone = instancesInRole(base.store, 'gone');
    const [report] = await Promise.all([route(base), base.engine.publishNames(names(base))]);
    problem = report === null ? null : refusedCertificate(report);
    if (gone.length === 0) return;
    base.store.tx((tx) => {
      for (const row of gone) deleteInstance(tx, row.id);
    });
  };
  return {
    problem: () => problem,
    task: {
      name: 'routes',
      everyMs: 10_000,
      async run() {
        try {
          await follow();
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
async function route(base: Base): Promise<SyncReport | null> {
  try {
    return await base.proxy.sync(table(base));
  } catch (error) {
    if (!(error instanceof ProxyUnavailable)) throw error;
    await base.proxy.ensure(table(base));
    return null;
  }
}

/**
 * Put together once for as long as nothing is committed, not at every look: for ten thousand apps it is half a second's work.
 * A certificate that ends meanwhile is noticed with the next commit, which measuring alone brings every minute.
 */
function table(base: Base): RouteTable {
  return base.store.memo('route table', () => routeTable(base));
}

function names(base: Base): NameRecord[] {
  return base.store.memo('name records', () => nameRecords(base));
}

function refusedCertificate({ certificateProblems: [first] }: SyncReport): string | null {
  if (first === undefined) return null;
  const number = /^c(\d+)-/.exec(first.name)?.[1] ?? first.name;
  return `The proxy does not present certificate ${number}: ${first.reason}`;
}
