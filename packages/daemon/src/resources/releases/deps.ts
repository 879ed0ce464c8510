import type { ImageRegistry } from '../../adapters/registry/registry.ts';
import type { InstanceFacts } from '../../config/instance-facts.ts';
import type { Store } from '../../db/store.ts';

/** Dependencies of the functions in this folder. */
export interface ReleasesDeps {
  store: Store;
  /** Registry of the instance. */
  registry: ImageRegistry;
  facts: InstanceFacts;
}
