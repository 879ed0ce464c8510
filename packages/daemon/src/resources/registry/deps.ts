import type { InstanceSettings } from '@davit/api';
import type { ImageRegistry } from '../../adapters/registry/registry.ts';
import type { InstanceFacts } from '../../config/instance-facts.ts';
import type { Store } from '../../db/store.ts';
import type { Collections } from './collections.ts';

export interface RegistryDeps {
  store: Store;
  registry: ImageRegistry;
  facts: InstanceFacts;
  settings: () => InstanceSettings;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
  collector: Collections;
}
