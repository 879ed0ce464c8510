import type { ImageRegistry } from '../../adapters/registry/registry.ts';
import type { InstanceFacts } from '../../config/instance-facts.ts';
import type { Store } from '../../db/store.ts';

/** What the functions of this folder work with. */
export interface ReleasesDeps {
  store: Store;
  /** The instance's own one, where apps are pushed to. */
  registry: ImageRegistry;
  facts: InstanceFacts;
}
