import { ProxyUnavailable } from '../adapters/proxy/proxy.ts';
import { nameRecords } from '../app-spec/names.ts';
import { deleteInstance, type InstanceRow, instancesInRole } from '../db/tables/instance.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';
import { currentTable } from './routes.ts';

const AGAIN_WHEN_AWAY_MS = 2_000;

/**
 * Publishes the internal DNS names of apps, databases and object stores. Then frees the IP addresses of removed
 * containers. An address is freed only when DNS and HAProxy no longer use it.
 */
export function namesTask(base: ReconcilersDeps): Task {
  return {
    name: 'names',
    everyMs: 10_000,
    async run() {
      /*
       * Read the removed replicas before the DNS records. Otherwise, the records could contain the IP addresses of
       * these replicas.
       */
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
 * Returns whether HAProxy has loaded the newest routes. If HAProxy does not respond, returns `false`, and the
 * reconciler tries again later.
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
