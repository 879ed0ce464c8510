import { storeVolumeName } from '../engine/names.ts';
import { keepStore } from '../objects/managed/keep.ts';
import type { StoreBase } from '../objects/managed/kinds.ts';
import { allManagedStores, managedStoreById } from '../store/managed-store.ts';
import { openTaskOf } from '../store/task.ts';
import { keptTask } from './kept.ts';
import type { Task } from './reconciler.ts';

export interface StoresLog {
  warn(fields: object, message: string): void;
}

/**
 * Keeps every object store of the instance's own as its record wants it, as databases are kept: one that a task is open for is
 * the task's business.
 */
export function storesTask(base: StoreBase, log: StoresLog): Task {
  const { store, facts } = base;
  const task = keptTask('stores', base, {
    kind: 'store',
    rows: () => allManagedStores(store),
    row: (id) => managedStoreById(store, id) ?? undefined,
    containersOf: ({ id }) => `${storeVolumeName(facts.id, id)}-`,
    isTasks: ({ name }) => openTaskOf(store, 'store', name) !== undefined,
    keep: async (row, { observed, mayHelp, signal }) => {
      if (!mayHelp) return 'waiting';
      return (await keepStore(base, row, observed, signal)) ? 'helped' : 'well';
    },
    failed: ({ name: called }, error) =>
      log.warn({ store: called, error }, 'an object store is not as it should be: it is tried again'),
  });
  return {
    ...task,
    // Most instances have none, and ask the engine nothing.
    run: async (signal) => (allManagedStores(store).length === 0 ? undefined : task.run(signal)),
  };
}
