import type { Engine } from '../../adapters/engine/engine.ts';
import type { StoreRow } from '../../db/tables/object-store.ts';
import type { ObjectClient, StoreConnection } from './client.ts';
import { connectionOfStore } from './connection.ts';
import type { ObjectStoresDeps } from './deps.ts';
import { type SimulatedBuckets, SimulatedObjectClient } from './simulated-client.ts';

/**
 * Returns a client for an S3 server. Imports the AWS SDK late, to save memory on instances without object stores.
 * @throws StoreProblem for an address that is never allowed
 */
export async function objectClientOf(connection: StoreConnection): Promise<ObjectClient> {
  const { S3ObjectClient } = await import('./s3-client.ts');
  return new S3ObjectClient(connection);
}

type ClientBase = Pick<ObjectStoresDeps, 'sealer' | 'isOpenAddress' | 'engine' | 'now'>;

/**
 * Returns an S3 client for an object store in the database.
 * @param endpoint URL for presigned URLs. Default: the daemon's endpoint.
 * @throws StoreProblem conflict
 */
export async function clientOfStore(base: ClientBase, row: StoreRow, endpoint?: string): Promise<ObjectClient> {
  const connection = connectionOfStore(base, row);
  const at = endpoint ?? connection.endpoint;
  // Use the simulated client, because a simulated Docker engine runs no containers and therefore no S3 server.
  if (row.kind === 'managed' && base.engine.capabilities.simulated)
    return new SimulatedObjectClient(at, simulatedBuckets(base.engine, row.volume), base.now);
  return objectClientOf({ ...connection, endpoint: at });
}

/**
 * Simulated buckets of managed object stores, used when Docker is simulated. For each Docker engine, there is a map
 * from volume name to buckets.
 */
const SIMULATED = new WeakMap<Engine, Map<string, SimulatedBuckets>>();

function simulatedBuckets(engine: Engine, volume: string): SimulatedBuckets {
  const volumes = SIMULATED.get(engine) ?? new Map<string, SimulatedBuckets>();
  SIMULATED.set(engine, volumes);
  const buckets = volumes.get(volume) ?? new Map();
  volumes.set(volume, buckets);
  return buckets;
}
