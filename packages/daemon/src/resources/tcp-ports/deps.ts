import type { InstanceFacts } from '../../config/instance-facts.ts';
import type { Store } from '../../db/store.ts';

export interface TcpPortsDeps {
  store: Store;
  facts: InstanceFacts;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
}
