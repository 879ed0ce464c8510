import type { RegistryAuth } from '../adapters/engine/image.ts';
import type { InstanceFacts } from '../config/instance-facts.ts';
import type { Sealer } from '../db/seal.ts';
import type { Store } from '../db/store.ts';

/** Dependencies of this folder. */
export interface ImageReferencesDeps {
  store: Store;
  sealer: Sealer;
  /**
   * Returns the credentials of one app in the instance's registry, with which the engine pulls. Users never see them.
   */
  ownRegistryAuth: (appId: number) => RegistryAuth;
  facts: InstanceFacts;
}
