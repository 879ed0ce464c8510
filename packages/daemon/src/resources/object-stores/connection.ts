/** Endpoint and access keys that the daemon uses for requests to a saved object store. */
import { type StoreAccess, storeAccess } from '../../app-spec/store-access.ts';
import { SealBroken } from '../../db/seal.ts';
import type { StoreRow } from '../../db/tables/object-store.ts';
import type { StoreConnection } from './client.ts';
import type { ObjectStoresDeps } from './deps.ts';
import { StoreProblem } from './problem.ts';

type Opening = Pick<ObjectStoresDeps, 'sealer'>;
type ConnectionDeps = Pick<ObjectStoresDeps, 'sealer' | 'isOpenAddress'>;

/** TCP port on which a managed object store listens in its container. */
export const STORE_PORT = 8_333;

/**
 * Returns the daemon's endpoint and access keys for an object store.
 * @throws StoreProblem conflict if the store does not run, or its secret key cannot be decrypted
 */
export function connectionOfStore(base: ConnectionDeps, row: StoreRow): StoreConnection {
  const access = { ...openAccess(base, row), ...addressesOf(base, row.public_only === 1) };
  if (row.kind === 'linked') return access;
  const { address, state, wanted, deleted_at } = row;
  if (address === null || state !== 'made' || wanted !== 'running' || deleted_at !== null)
    throw new StoreProblem('conflict', `The object store ${row.name} is not running. Start it first.`);
  return { ...access, endpoint: endpointAt(address) };
}

/**
 * Returns the rules for IP addresses. For this object store, the daemon may connect only to IP addresses that these
 * rules allow.
 */
export function addressesOf(
  { isOpenAddress }: Pick<ObjectStoresDeps, 'isOpenAddress'>,
  publicOnly: boolean,
): Pick<StoreConnection, 'limit' | 'isOpen'> {
  return { limit: publicOnly ? isOpenAddress : null, isOpen: isOpenAddress };
}

/**
 * Returns the endpoint URL of a managed object store's container.
 * @param address IP address of the container
 */
export function endpointAt(address: string): string {
  return `http://${address}:${STORE_PORT}`;
}

/** @throws StoreProblem conflict if the secret key cannot be decrypted */
export function openAccess(opening: Opening, row: StoreRow): StoreAccess {
  try {
    return storeAccess(opening, row);
  } catch (cause) {
    if (!(cause instanceof SealBroken)) throw cause;
    throw new StoreProblem(
      'conflict',
      `The stored keys of ${row.name} cannot be decrypted, because they were changed outside Davit. Set them again.`,
    );
  }
}
