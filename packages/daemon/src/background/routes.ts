import type { Base } from '../release/base.ts';
import { nameRecords } from '../release/names.ts';
import { routeTable } from '../release/routing.ts';
import { deleteInstance, instancesInRole } from '../store/instances.ts';
import type { Task } from './reconciler.ts';

/** Keeps the proxy and the internal names as the store says, and frees the addresses that they have forgotten. */
export function routesTask(base: Base): Task {
  return {
    name: 'routes',
    everyMs: 10_000,
    async run() {
      // Read before the table is made: what is gone by now cannot be in it.
      const gone = instancesInRole(base.store, 'gone');
      await Promise.all([base.proxy.sync(routeTable(base)), base.engine.publishNames(nameRecords(base))]);
      if (gone.length > 0) {
        base.store.tx((tx) => {
          for (const row of gone) deleteInstance(tx, row.id);
        });
      }
      return undefined;
    },
  };
}
