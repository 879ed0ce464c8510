/** What is an object store's own among what the instance runs. */
import { storeVolumeName } from '../../engine/names.ts';
import type { Base } from '../../release/base.ts';
import { storeAccess } from '../../release/store-access.ts';
import type { ResidentChange, Seen, Serving } from '../../residents/resident.ts';
import type { TaskedResident } from '../../residents/steps.ts';
import { allManagedStores, managedStoreById, setManagedStore } from '../../store/managed-store.ts';
import { deleteStoreRow, type ManagedStoreRow } from '../../store/object-store.ts';
import type { Tx } from '../../store/store.ts';
import { objectClientOf } from '../client-of.ts';
import { endpointAt, STORE_PORT } from '../place.ts';
import { StoreProblem } from '../problem.ts';
import { ensureImage } from './image.ts';
import { KEYS_FILE, keysFile, SERVE } from './seaweed.ts';

export interface StoreBase extends Base {
  /** Asks for stores to be looked after soon. */
  nudgeStores: () => void;
}

/** What tasks on stores are asked with. */
export interface OfStore {
  /** Its number. */
  store: number;
}

export const STORE: TaskedResident<ManagedStoreRow, OfStore, StoreBase> = {
  noun: 'store',
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
  ensureImage,
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
  { seen, ...columns }: ResidentChange,
  tell?: { change: string; at?: number },
): void {
  setManagedStore(tx, id, { ...columns, ...(seen !== undefined && { observed: OBSERVED[seen] }) }, tell);
}

function serving(base: Base, row: ManagedStoreRow): Serving {
  const files = [{ path: KEYS_FILE, ...keysFile(storeAccess(base, row)) }];
  return { env: {}, args: [...SERVE], files, dataPath: '/data', exposedPort: STORE_PORT };
}

/** It takes connections a moment before it takes orders, while its parts look for each other. */
async function problem(base: Base, row: ManagedStoreRow, signal: AbortSignal): Promise<string | null> {
  // Nothing listens where nothing runs.
  if (base.engine.capabilities.simulated || row.address === null) return null;
  try {
    using client = await objectClientOf({ ...storeAccess(base, row), endpoint: endpointAt(row.address) });
    await client.listBuckets(signal);
    return null;
  } catch (error) {
    if (error instanceof StoreProblem) return error.message;
    throw error;
  }
}
