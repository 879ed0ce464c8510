import type { InstanceFacts } from '../../config/instance-facts.ts';
import type { Store } from '../../db/store.ts';

/** Dependencies of the functions in this folder. */
export interface TcpPortsDeps {
  store: Store;
  facts: InstanceFacts;
  /** Current time in milliseconds since the epoch. */
  now: () => number;
}
