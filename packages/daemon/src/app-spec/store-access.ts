/**
 * Address and keys of an S3 object store. The secret key is decrypted, so only authorized users may receive this
 * object.
 */
import type { StoreRow } from '../db/tables/object-store.ts';
import type { AppSpecDeps } from './deps.ts';

export interface StoreAccess {
  /** URL that apps use to reach the object store. */
  endpoint: string;
  region: string;
  pathStyle: boolean;
  accessKey: string;
  secretKey: string;
}

/** Returns the additional authenticated data (AAD) for the AES-GCM encryption of an object store's secret key. */
export function storeKeyLocation(id: number): string {
  return `stores/${id}/secret_key`;
}

/**
 * Returns the address and the decrypted keys of an object store.
 * @throws SealBroken if the encrypted key was changed outside Davit
 */
export function storeAccess({ sealer }: Pick<AppSpecDeps, 'sealer'>, row: StoreRow): StoreAccess {
  return {
    endpoint: row.endpoint,
    region: row.region,
    pathStyle: row.path_style === 1,
    accessKey: row.access_key,
    secretKey: sealer.open(row.secret_key, storeKeyLocation(row.id)),
  };
}
