import { DavitError, type ObjectStore } from '@davit/api';
import type { OpContext } from '../context.ts';
import type { StoreRow } from '../store/object-store.ts';
import type { Core } from './core.ts';
import { forgetStore } from './object-store.ts';

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
  forgetStore(core, ctx, row);
  return null;
}
