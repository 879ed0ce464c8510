import type { InstanceSettings } from '@davit/api';
import type { Engine } from '../../adapters/engine/engine.ts';
import type { InstanceFacts } from '../../config/instance-facts.ts';
import type { Store } from '../../db/store.ts';

/** Dependencies of the functions in this folder. */
export interface ImagesDeps {
  store: Store;
  engine: Engine;
  facts: InstanceFacts;
  /** Returns the current settings of the instance. */
  settings: () => InstanceSettings;
  /** Current time in milliseconds since the epoch. */
  now: () => number;
}
