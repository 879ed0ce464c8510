import type { RegistryAuth } from '../adapters/engine/image.ts';
import type { InstanceFacts } from '../config/instance-facts.ts';
import type { Sealer } from '../db/seal.ts';
import type { Store } from '../db/store.ts';

/** What the functions of this folder work with. */
export interface ImageReferencesDeps {
  store: Store;
  sealer: Sealer;
  /**
   * The credential of one app in the instance's own registry, with which the engine pulls. It is never shown to users.
   */
  ownRegistryAuth: (appId: number) => RegistryAuth;
  facts: InstanceFacts;
}
