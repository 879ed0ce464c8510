/**
 * Defines how Davit runs managed object stores, which are containers with an S3 server. The same interface is used for
 * databases.
 */
import type { ResourceChange } from '@davit/api';
import { storeVolumeName } from '../../../adapters/engine/names.ts';
import { storeAccess } from '../../../app-spec/store-access.ts';
import type { Tx } from '../../../db/store.ts';
import { allManagedStores, managedStoreById, setManagedStore } from '../../../db/tables/managed-store.ts';
import { deleteStoreRow, type ManagedStoreRow } from '../../../db/tables/object-store.ts';
import type { ManagedServiceChange, Seen, Serving } from '../../../managed-services/managed-service.ts';
import type { TaskedManagedService } from '../../../managed-services/steps.ts';
import { objectClientOf } from '../client-of.ts';
import { addressesOf, endpointAt, STORE_PORT } from '../connection.ts';
import type { ObjectStoresDeps } from '../deps.ts';
import { StoreProblem } from '../problem.ts';
import { ensureStoreImage } from './image.ts';
import { KEYS_FILE, keysFile, SERVE } from './seaweed.ts';

export interface OfStore {
  store: number;
}

export const STORE: TaskedManagedService<ManagedStoreRow, OfStore, ObjectStoresDeps> = {
  noun: 'object store',
  subject: 'object_store',
  label: 'store',
  hasLogs: false,
  all: allManagedStores,
  find: managedStoreById,
  change,
  forget: deleteStoreRow,
  reference: ({ name }) => name,
  seen: ({ observed }) => SEEN[observed ?? 'unknown'],
  port: ({ port }) => port,
  volumeName: storeVolumeName,
  stop: () => ({ signal: 'SIGTERM', graceS: 30 }),
  listensOn: () => STORE_PORT,
  ensureImage: ensureStoreImage,
  madeOf: ({ image_id, port }) => [image_id, port],
  serving,
  problem,
  idOf: ({ store }) => store,
  nudge: ({ nudgeStores }) => nudgeStores(),
};

const SEEN = { unknown: 'unknown', up: 'ready', silent: 'silent', down: 'down' } as const;
const OBSERVED = { unknown: null, ready: 'up', silent: 'silent', down: 'down' } as const satisfies Record<
  Seen,
  ManagedStoreRow['observed']
>;

function change(
  tx: Tx,
  id: number,
  { seen, ...columns }: ManagedServiceChange,
  event?: { change: ResourceChange; at?: number },
): void {
  setManagedStore(tx, id, { ...columns, ...(seen !== undefined && { observed: OBSERVED[seen] }) }, event);
}

function serving(base: ObjectStoresDeps, row: ManagedStoreRow): Serving {
  const files = [{ path: KEYS_FILE, ...keysFile(storeAccess(base, row)) }];
  return { env: {}, args: [...SERVE], files, dataPath: '/data', exposedPort: STORE_PORT };
}

/**
 * Returns the reason why an object store cannot process requests, or `null`. Sends an S3 request, because SeaweedFS
 * accepts connections before it is ready.
 */
async function problem(base: ObjectStoresDeps, row: ManagedStoreRow, signal: AbortSignal): Promise<string | null> {
  // Skip the check. A simulated Docker engine runs no containers, so there is no S3 server.
  if (base.engine.capabilities.simulated || row.address === null) return null;
  try {
    const connection = { ...storeAccess(base, row), ...addressesOf(base, false), endpoint: endpointAt(row.address) };
    using client = await objectClientOf(connection);
    await client.listBuckets(signal);
    return null;
  } catch (error) {
    if (error instanceof StoreProblem) return error.message;
    throw error;
  }
}
