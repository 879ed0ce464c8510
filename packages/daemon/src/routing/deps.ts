import type { InstanceSettings } from '@davit/api';
import type { InstanceFacts } from '../config/instance-facts.ts';
import type { Sealer } from '../db/seal.ts';
import type { Store } from '../db/store.ts';

/** What the functions of this folder work with. */
export interface RoutingDeps {
  store: Store;
  sealer: Sealer;
  facts: InstanceFacts;
  /** What an admin has set for the whole instance, as it is now. */
  settings: () => InstanceSettings;
  /** Milliseconds since the epoch. */
  now: () => number;
}
