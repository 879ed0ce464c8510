import type { ImageRegistry } from '../../adapters/registry/registry.ts';
import type { InstanceFacts } from '../../config/instance-facts.ts';
import type { Store } from '../../db/store.ts';

export interface ReleasesDeps {
  store: Store;
  registry: ImageRegistry;
  facts: InstanceFacts;
}
