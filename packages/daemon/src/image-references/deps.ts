import type { RegistryAuth } from '../adapters/engine/image.ts';
import type { InstanceFacts } from '../config/instance-facts.ts';
import type { Sealer } from '../db/seal.ts';
import type { Store } from '../db/store.ts';

export interface ImageReferencesDeps {
  store: Store;
  sealer: Sealer;
  /**
   * Returns the credentials with which the engine pulls images of one app from the instance's registry. Davit never
   * shows them to users.
   */
  ownRegistryAuth: (appId: number) => RegistryAuth;
  facts: InstanceFacts;
}
