/** What an object store is reached with; its secret key is in the open, so it goes to who may have it and nowhere else. */
import type { StoreRow } from '../db/tables/object-store.ts';
import type { AppSpecDeps } from './deps.ts';

export interface StoreAccess {
  /** Where apps ask it. */
  endpoint: string;
  region: string;
  pathStyle: boolean;
  accessKey: string;
  secretKey: string;
}

/** Where a store's secret key belongs, for its seal. */
export function storeKeyPlace(id: number): string {
  return `stores/${id}/secret_key`;
}

/** @throws SealBroken for a key that was changed outside Davit */
export function storeAccess({ sealer }: Pick<AppSpecDeps, 'sealer'>, row: StoreRow): StoreAccess {
  return {
    endpoint: row.endpoint,
    region: row.region,
    pathStyle: row.path_style === 1,
    accessKey: row.access_key,
    secretKey: sealer.open(row.secret_key, storeKeyPlace(row.id)),
  };
}
