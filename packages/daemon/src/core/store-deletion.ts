import { DavitError, type ObjectStore } from '@davit/api';
import type { OpContext } from '../context.ts';
import { EngineRefused } from '../engine/errors.ts';
import { STORE } from '../objects/managed/resident.ts';
import { destroy } from '../residents/keep.ts';
import { managedStoreById, setManagedStore } from '../store/managed-store.ts';
import type { ManagedStoreRow, StoreRow } from '../store/object-store.ts';
import { demandNoTask } from '../tasks/no-task.ts';
import type { Core } from './core.ts';
import { forgetStore, readStore } from './object-store.ts';
import { demandUnused } from './store-use.ts';

const DAY_MS = 86_400_000;

/**
 * Forgets a linked store; brings a managed one to the trash, and from there to its end.
 * @returns the store in the trash; null when it is gone
 * @throws DavitError invalid_input when it is not called by its name; conflict while something uses it
 */
export async function deleteStore(
  core: Core,
  ctx: OpContext,
  row: StoreRow,
  confirm: string,
): Promise<ObjectStore | null> {
  if (confirm !== row.name) throw new DavitError('invalid_input', `confirm: must be the store’s name, «${row.name}».`);
  if (row.kind === 'managed') {
    if (row.deleted_at === null) return toTrash(core, ctx, row);
    await remove(core, row);
    return null;
  }
  forgetStore(core, ctx, row);
  return null;
}

/** It is stopped soon, and its port is free at once; its name stays its own until it is gone. */
function toTrash(core: Core, ctx: OpContext, { id }: ManagedStoreRow): ObjectStore {
  const row = core.store.tx((tx) => {
    const now = managedStoreById(tx, id);
    if (now === null) throw new DavitError('not_found', 'There is no such store any more.');
    demandNoTask(tx, { kind: 'store', name: now.name });
    demandUnused(tx, now, null);
    const at = core.now();
    const expires_at = at + core.settings().databases.trash_days * DAY_MS;
    setManagedStore(tx, id, { deleted_at: at, expires_at, port: null }, { change: 'deleted', at });
    core.store.trail.about({ target: now.name, projectId: now.project_id });
    return managedStoreById(tx, id) ?? now;
  });
  core.nudgeStores();
  return readStore(core, ctx, row);
}

/** @throws DavitError conflict while the engine does not let its data go */
async function remove(core: Core, row: ManagedStoreRow): Promise<void> {
  core.store.tx((tx) => demandNoTask(tx, { kind: 'store', name: row.name }));
  try {
    await destroy(STORE, core, row);
  } catch (cause) {
    if (!(cause instanceof EngineRefused)) throw cause;
    throw new DavitError('conflict', `The data of ${row.name} is still in use: try again in a moment.`, { cause });
  }
}
