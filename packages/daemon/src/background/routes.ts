import type { Core } from '../core/core.ts';
import { nameRecords } from '../core/names.ts';
import { routeTable } from '../core/routing.ts';
import { deleteInstance, instancesInRole } from '../store/instances.ts';
import type { Task } from './reconciler.ts';

/** Keeps the proxy and the internal names as the store says, and frees the addresses that they have forgotten. */
export function routesTask(core: Core): Task {
  return {
    name: 'routes',
    everyMs: 10_000,
    async run() {
      // Read before the table is made: what is gone by now cannot be in it.
      const gone = instancesInRole(core.store, 'gone');
      await Promise.all([core.proxy.sync(routeTable(core)), core.engine.publishNames(nameRecords(core))]);
      if (gone.length > 0) {
        core.store.tx((tx) => {
          for (const row of gone) deleteInstance(tx, row.id);
        });
      }
      return undefined;
    },
  };
}
