import type { InstanceSettings } from '@davit/api';
import type { ImageRegistry } from '../../adapters/registry/registry.ts';
import type { InstanceFacts } from '../../config/instance-facts.ts';
import type { Store } from '../../db/store.ts';
import type { Collections } from './collections.ts';

/** What the functions of this folder work with. */
export interface RegistryDeps {
  store: Store;
  /** The instance's own one, where apps are pushed to. */
  registry: ImageRegistry;
  facts: InstanceFacts;
  /** What an admin has set for the whole instance, as it is now. */
  settings: () => InstanceSettings;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Removes what nothing in the registry needs. */
  collector: Collections;
}
