import type { InstanceFacts } from '../config/instance-facts.ts';
import type { Sealer } from '../db/seal.ts';
import type { Store } from '../db/store.ts';

/** What the functions of this folder work with. */
export interface AppSpecDeps {
  store: Store;
  sealer: Sealer;
  facts: InstanceFacts;
  /** Milliseconds since the epoch. */
  now: () => number;
}
