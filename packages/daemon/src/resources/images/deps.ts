import type { InstanceSettings } from '@davit/api';
import type { Engine } from '../../adapters/engine/engine.ts';
import type { InstanceFacts } from '../../config/instance-facts.ts';
import type { Store } from '../../db/store.ts';

export interface ImagesDeps {
  store: Store;
  engine: Engine;
  facts: InstanceFacts;
  settings: () => InstanceSettings;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
}
