import { DavitError, type ObjectStore } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { managedStoreById, setManagedStore } from '../../db/tables/managed-store.ts';
import type { ManagedStoreRow, StoreRow } from '../../db/tables/object-store.ts';
import { demandConfirm } from '../../input/confirm.ts';
import { destroy } from '../../managed-services/keep.ts';
import { termOf } from '../../trash/term.ts';
import { removeForGood } from '../../trash/trash.ts';
import { demandNoTask } from '../tasks/no-task.ts';
import type { ObjectStoresDeps } from './deps.ts';
import { STORE } from './managed/managed-service.ts';
import { forgetStore, readStore } from './object-store.ts';
import { demandUnused } from './used-by.ts';

/**
 * Unlinks a linked object store. Moves a managed object store to the trash, or deletes it permanently if it is already
 * in the trash.
 * @returns the store in the trash, or `null` if the store was removed
 * @throws DavitError invalid_input, conflict
 */
export async function deleteObjectStore(
  core: ObjectStoresDeps,
  ctx: OpContext,
  row: StoreRow,
  confirm: string,
): Promise<ObjectStore | null> {
  demandConfirm(confirm, row.name, 'object store');
  if (row.kind === 'managed') {
    if (row.deleted_at === null) return toTrash(core, ctx, row);
    await remove(core, row);
    return null;
  }
  forgetStore(core, ctx, row);
  return null;
}

/**
 * Moves a managed object store to the trash. Its port becomes free at once. Its name becomes free after the permanent
 * deletion. A reconciler stops the container.
 */
function toTrash(core: ObjectStoresDeps, ctx: OpContext, { id }: ManagedStoreRow): ObjectStore {
  const row = core.store.tx((tx) => {
    const now = managedStoreById(tx, id);
    if (now === null) throw new DavitError('not_found', 'The object store does not exist anymore.');
    demandNoTask(tx, { kind: 'object_store', name: now.name });
    demandUnused(tx, now, null);
    const term = termOf(core, tx, core.settings().databases.trash_days);
    setManagedStore(tx, id, { ...term, port: null }, { change: 'deleted', at: term.deleted_at });
    core.store.trail.about({ target: now.name, projectId: now.project_id, status: 200 });
    return managedStoreById(tx, id) ?? now;
  });
  core.nudgeStores();
  return readStore(core, ctx, row);
}

/**
 * Deletes a managed object store permanently.
 * @throws DavitError not_found; conflict if Docker cannot delete the data or the store was restored
 */
function remove(core: ObjectStoresDeps, { id }: ManagedStoreRow): Promise<void> {
  return removeForGood(core, {
    find(tx) {
      const now = managedStoreById(tx, id);
      if (now === null) throw new DavitError('not_found', 'The object store does not exist anymore.');
      demandNoTask(tx, { kind: 'object_store', name: now.name });
      if (now.deleted_at !== null) {
        demandUnused(tx, now, null);
        return now;
      }
      throw new DavitError('conflict', `${now.name} was restored and is no longer in the trash.`);
    },
    setEnd: (tx, now, expires_at) => setManagedStore(tx, now.id, { expires_at }),
    destroy: (now) => destroy(STORE, core, now),
  });
}
