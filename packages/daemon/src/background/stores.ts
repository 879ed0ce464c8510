import { EngineUnavailable } from '../engine/engine.ts';
import { storeVolumeName } from '../engine/names.ts';
import { keepStore } from '../objects/managed/keep.ts';
import type { StoreBase } from '../objects/managed/kinds.ts';
import { allManagedStores, managedStoreById } from '../store/managed-store.ts';
import type { ManagedStoreRow } from '../store/object-store.ts';
import { openTaskOf } from '../store/task.ts';
import { Backoff } from './backoff.ts';
import type { Task } from './reconciler.ts';

const LOOK_MS = 10_000;
const AWAY_MS = 1_000;

export interface StoresLog {
  warn(fields: object, message: string): void;
}

/**
 * Keeps every object store of the instance's own as its record wants it, as databases are kept: one that a task is open for is
 * the task's business, and one that cannot be helped is tried again after longer and longer pauses.
 */
export function storesTask(base: StoreBase, log: StoresLog): Task {
  const backoff = new Backoff(base.now);
  return {
    name: 'stores',
    everyMs: LOOK_MS,
    async run(signal) {
      // Most instances have none, and ask the engine nothing.
      if (allManagedStores(base.store).length === 0) return undefined;
      try {
        await removeStrays(base, signal);
        for (const { id } of allManagedStores(base.store)) {
          signal.throwIfAborted();
          await attempt(base, id, { backoff, log, signal });
        }
        return undefined;
      } catch (error) {
        if (!(error instanceof EngineUnavailable)) throw error;
        return AWAY_MS;
      }
    },
  };
}

interface Attempt {
  backoff: Backoff;
  log: StoresLog;
  signal: AbortSignal;
}

async function attempt(base: StoreBase, id: number, { backoff, log, signal }: Attempt): Promise<void> {
  const row = managedStoreById(base.store, id);
  if (row === null || openTaskOf(base.store, 'store', row.name) !== undefined || !backoff.isDue(id)) return;
  try {
    const helped = await keepStore(base, row, signal);
    if (helped) backoff.failed(id);
    else backoff.succeeded(id);
  } catch (error) {
    if (error instanceof EngineUnavailable || signal.aborted) throw error;
    backoff.failed(id);
    log.warn({ store: row.name, error }, 'an object store is not as it should be: it is tried again');
  }
}

/** Containers of stores that no record names: what a crash left between two generations. Their volumes stay. */
async function removeStrays({ engine, store, facts }: StoreBase, signal: AbortSignal): Promise<void> {
  const rows = allManagedStores(store);
  for (const seen of await engine.observe(signal)) {
    if (seen.kind !== 'store') continue;
    const isOf = ({ id, container_id }: ManagedStoreRow) =>
      seen.id === container_id || seen.name.startsWith(`${storeVolumeName(facts.id, id)}-`);
    if (!rows.some(isOf)) await engine.remove(seen.id);
  }
}
