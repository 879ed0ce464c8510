import { type BackupDestination, DavitError } from '@davit/api';
import type { OpContext } from '../context.ts';
import { storeByName } from '../store/object-store.ts';
import type { Core } from './core.ts';
import { seesOwner } from './lookup.ts';
import { askStore } from './store-asking.ts';

/**
 * Makes sure that backups can be kept where somebody wants them: in a store that he sees, and a bucket that is there.
 * @throws DavitError conflict; unavailable while the store does not answer
 */
export async function demandDestination(core: Core, { actor }: OpContext, kept: BackupDestination): Promise<void> {
  if (kept.kind === 'disk') return;
  const row = storeByName(core.store, kept.store);
  if (row === undefined || !seesOwner(actor, row.project_id))
    throw new DavitError('conflict', `There is no object store ${kept.store}, or you do not see it: list the stores.`);
  await askStore(core, row, (client, signal) => client.lookAtBucket(kept.bucket, signal)).catch((error: unknown) => {
    if (!(error instanceof DavitError && error.code === 'not_found')) throw error;
    throw new DavitError('conflict', error.message, { cause: error });
  });
}
