import { ProxyUnavailable } from '../adapters/proxy/proxy.ts';
import { nameRecords } from '../app-spec/names.ts';
import { deleteInstance, type InstanceRow, instancesInRole } from '../db/tables/instance.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';
import { currentTable } from './routes.ts';

const AGAIN_WHEN_AWAY_MS = 2_000;

/**
 * Keeps the internal host names in sync with the database, and frees addresses that neither the names nor the proxy
 * use.
 */
export function namesTask(base: ReconcilersDeps): Task {
  return {
    name: 'names',
    everyMs: 10_000,
    async run() {
      // This read must precede the computation of the names, so that the names cannot contain addresses of these
      // replicas.
      const gone = instancesInRole(base.store, 'gone');
      await base.engine.publishNames(base.store.memo('name records', () => nameRecords(base)));
      if (gone.length === 0) return undefined;
      if (!(await hasForgotten(base))) return AGAIN_WHEN_AWAY_MS;
      free(base, gone);
      return undefined;
    },
  };
}

/**
 * Returns whether the proxy has the newest routes. If the proxy does not respond, its routes are unknown and the next
 * pass checks again.
 */
async function hasForgotten(base: ReconcilersDeps): Promise<boolean> {
  try {
    await base.proxy.sync(currentTable(base));
    return true;
  } catch (error) {
    if (!(error instanceof ProxyUnavailable)) throw error;
    return false;
  }
}

function free({ store }: ReconcilersDeps, gone: readonly InstanceRow[]): void {
  store.tx((tx) => {
    for (const { id } of gone) deleteInstance(tx, id);
  });
}
