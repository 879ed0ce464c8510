import type { ObjectStoreStatus } from '@davit/api';
import type { StoreRow } from '../../db/tables/object-store.ts';

/** Returns the status of an object store. The status depends on the desired state and the last observed state. */
export function storeStatus(row: StoreRow): ObjectStoreStatus {
  if (row.kind === 'linked') return 'linked';
  if (row.deleted_at !== null) return 'trash';
  if (row.state === 'failed') return 'failed';
  if (row.state === 'making') return 'provisioning';
  if (row.wanted === 'stopped') return 'stopped';
  return row.observed === 'up' ? 'running' : row.observed === 'silent' ? 'degraded' : 'down';
}
