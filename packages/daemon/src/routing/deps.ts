import type { InstanceSettings } from '@davit/api';
import type { InstanceFacts } from '../config/instance-facts.ts';
import type { Sealer } from '../db/seal.ts';
import type { Store } from '../db/store.ts';

/** Dependencies of this folder. */
export interface RoutingDeps {
  store: Store;
  sealer: Sealer;
  facts: InstanceFacts;
  /** Returns the present settings of the instance. */
  settings: () => InstanceSettings;
  /** Returns the time in milliseconds since the epoch. */
  now: () => number;
}
