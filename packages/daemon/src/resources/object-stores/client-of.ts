import type { Engine } from '../../adapters/engine/engine.ts';
import type { StoreRow } from '../../db/tables/object-store.ts';
import type { ObjectClient, StoreConnection } from './client.ts';
import { connectionOfStore } from './connection.ts';
import type { ObjectStoresDeps } from './deps.ts';
import { type SimulatedBuckets, SimulatedObjectClient } from './simulated-client.ts';

/**
 * Returns a client for an S3 server. Imports the AWS SDK at the first call, so that instances without object stores use
 * less memory.
 * @throws StoreProblem for an address that is never allowed
 */
export async function objectClientOf(connection: StoreConnection): Promise<ObjectClient> {
  const { S3ObjectClient } = await import('./s3-client.ts');
  return new S3ObjectClient(connection);
}

type ClientBase = Pick<ObjectStoresDeps, 'sealer' | 'isOpenAddress' | 'engine' | 'now'>;

/**
 * Returns an S3 client for an object store in the database.
 * @param endpoint URL for presigned URLs. The default is the endpoint that the daemon uses.
 * @throws StoreProblem conflict
 */
export async function clientOfStore(base: ClientBase, row: StoreRow, endpoint?: string): Promise<ObjectClient> {
  const connection = connectionOfStore(base, row);
  const at = endpoint ?? connection.endpoint;
  // Use the simulated client. A simulated Docker engine runs no containers, so there is no S3 server.
  if (row.kind === 'managed' && base.engine.capabilities.simulated)
    return new SimulatedObjectClient(at, simulatedBuckets(base.engine, row.volume), base.now);
  return objectClientOf({ ...connection, endpoint: at });
}

/**
 * Simulated buckets of managed object stores, for a simulated Docker engine. Each Docker engine has a map from volume
 * name to buckets.
 */
const SIMULATED = new WeakMap<Engine, Map<string, SimulatedBuckets>>();

function simulatedBuckets(engine: Engine, volume: string): SimulatedBuckets {
  const volumes = SIMULATED.get(engine) ?? new Map<string, SimulatedBuckets>();
  SIMULATED.set(engine, volumes);
  const buckets = volumes.get(volume) ?? new Map();
  volumes.set(volume, buckets);
  return buckets;
}
