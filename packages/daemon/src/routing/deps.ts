import type { InstanceSettings } from '@davit/api';
import type { InstanceFacts } from '../config/instance-facts.ts';
import type { Sealer } from '../db/seal.ts';
import type { Store } from '../db/store.ts';

export interface RoutingDeps {
  store: Store;
  sealer: Sealer;
  facts: InstanceFacts;
  /** Returns the instance settings that currently apply. */
  settings: () => InstanceSettings;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
}
