import type { InstanceFacts } from '../../config/instance-facts.ts';
import type { Store } from '../../db/store.ts';

/** What the functions of this folder work with. */
export interface TcpPortsDeps {
  store: Store;
  facts: InstanceFacts;
  /** Milliseconds since the epoch. */
  now: () => number;
}
