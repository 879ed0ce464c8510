import { type BackupDestination, DavitError } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { seesOwner } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import { type StoreRow, storeByName } from '../../db/tables/object-store.ts';
import { withStoreClient } from '../object-stores/request.ts';
import type { BackupsDeps } from './deps.ts';

/**
 * Returns the reason why backups of a project may not be stored at a backup destination, as a sentence. If the project
 * may use the destination, returns `null`.
 *
 * A project may not use an object store of another project, because users of the other project can see and delete the
 * objects. Davit also checks this before each scheduled backup, because permissions may have changed since the schedule
 * was created.
 */
export function whyNotOwn(db: Reader, projectId: number, kept: BackupDestination): string | null {
  const row = kept.kind === 'object_store' ? storeByName(db, kept.object_store) : undefined;
  if (row === undefined || row.project_id === null || row.project_id === projectId) return null;
  return `The object store ${row.name} belongs to another project. Choose an object store of this project or of the whole instance.`;
}

/**
 * Checks that a backup destination can store backups of a project. The user must be able to see the object store, and
 * the bucket must exist.
 * @returns function that repeats the check. Call the function in the transaction that saves the destination, because
 * another object store may have the same name by then.
 * @throws DavitError conflict; unavailable if the object store does not respond
 */
export async function demandDestination(
  core: BackupsDeps,
  ctx: OpContext,
  projectId: number,
  kept: BackupDestination,
): Promise<(tx: Reader) => void> {
  if (kept.kind === 'disk') return () => undefined;
  const row = seenStore(core.store, ctx, kept.object_store);
  const why = whyNotOwn(core.store, projectId, kept);
  if (why !== null) throw new DavitError('conflict', why);
  await withStoreClient(core, row, (client, signal) => client.lookAtBucket(kept.bucket, signal)).catch(
    (error: unknown) => {
      if (!(error instanceof DavitError && error.code === 'not_found')) throw error;
      throw new DavitError('conflict', error.message, { cause: error });
    },
  );
  return (tx) => {
    const now = storeByName(tx, kept.object_store);
    if (now?.id !== row.id || isInTrash(now)) throw noStore(kept.object_store);
  };
}

function seenStore(db: Reader, { actor }: OpContext, name: string): StoreRow {
  const row = storeByName(db, name);
  if (row === undefined || isInTrash(row) || !seesOwner(actor, row.project_id)) throw noStore(name);
  return row;
}

function isInTrash(row: StoreRow): boolean {
  return row.kind === 'managed' && row.deleted_at !== null;
}

function noStore(name: string): DavitError {
  return new DavitError(
    'conflict',
    `The object store ${name} does not exist, or you do not have access to it. List the object stores.`,
  );
}
