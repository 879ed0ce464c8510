import type { StoreStatus } from '@davit/api';
import type { StoreRow } from '../../db/tables/object-store.ts';

/** Derived from what is wanted of it and what was last seen. */
export function storeStatus(row: StoreRow): StoreStatus {
  if (row.kind === 'linked') return 'linked';
  if (row.deleted_at !== null) return 'trash';
  if (row.state === 'failed') return 'failed';
  if (row.state === 'making') return 'provisioning';
  if (row.wanted === 'stopped') return 'stopped';
  return row.observed === 'up' ? 'running' : row.observed === 'silent' ? 'degraded' : 'down';
}
