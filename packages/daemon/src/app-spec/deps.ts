import type { InstanceFacts } from '../config/instance-facts.ts';
import type { Sealer } from '../db/seal.ts';
import type { Store } from '../db/store.ts';

export interface AppSpecDeps {
  store: Store;
  sealer: Sealer;
  facts: InstanceFacts;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
}
