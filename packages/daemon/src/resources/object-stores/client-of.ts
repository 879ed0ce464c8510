import type { Engine } from '../../adapters/engine/engine.ts';
import type { StoreRow } from '../../db/tables/object-store.ts';
import type { ObjectClient, StorePlace } from './client.ts';
import type { ObjectStoresDeps } from './deps.ts';
import { placeOfStore } from './place.ts';
import { type SimulatedBuckets, SimulatedObjectClient } from './simulated-client.ts';

/**
 * A client of what speaks S3. What it needs is loaded with the first one: an instance without stores does not pay for it.
 * @throws StoreProblem for an address that is never asked
 */
export async function objectClientOf(place: StorePlace): Promise<ObjectClient> {
  const { S3ObjectClient } = await import('./s3-client.ts');
  return new S3ObjectClient(place);
}

type ClientBase = Pick<ObjectStoresDeps, 'sealer' | 'isOpenAddress' | 'engine' | 'now'>;

/**
 * A client of a store that is on record.
 * @param endpoint where it is asked instead of where this instance asks it: for addresses that are given away
 * @throws StoreProblem conflict for one that does not run, or whose key was changed outside Davit
 */
export async function clientOfStore(base: ClientBase, row: StoreRow, endpoint?: string): Promise<ObjectClient> {
  const place = placeOfStore(base, row);
  const at = endpoint ?? place.endpoint;
  // Nothing listens where nothing runs.
  if (row.kind === 'managed' && base.engine.capabilities.simulated)
    return new SimulatedObjectClient(at, simulatedBuckets(base.engine, row.volume), base.now);
  return objectClientOf({ ...place, endpoint: at });
}

/** What the volumes of a simulated engine hold. */
const SIMULATED = new WeakMap<Engine, Map<string, SimulatedBuckets>>();

function simulatedBuckets(engine: Engine, volume: string): SimulatedBuckets {
  const volumes = SIMULATED.get(engine) ?? new Map<string, SimulatedBuckets>();
  SIMULATED.set(engine, volumes);
  const buckets = volumes.get(volume) ?? new Map();
  volumes.set(volume, buckets);
  return buckets;
}
