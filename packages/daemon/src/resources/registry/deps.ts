import type { InstanceSettings } from '@davit/api';
import type { ImageRegistry } from '../../adapters/registry/registry.ts';
import type { InstanceFacts } from '../../config/instance-facts.ts';
import type { Store } from '../../db/store.ts';
import type { Collections } from './collections.ts';

/** Dependencies of the functions in this folder. */
export interface RegistryDeps {
  store: Store;
  /** Registry of the instance. */
  registry: ImageRegistry;
  facts: InstanceFacts;
  /** Returns the current settings of the instance. */
  settings: () => InstanceSettings;
  /** Current time in milliseconds since the epoch. */
  now: () => number;
  /** Collector of unneeded images in the registry. */
  collector: Collections;
}
