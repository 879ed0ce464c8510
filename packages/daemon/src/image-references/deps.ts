import type { RegistryAuth } from '../adapters/engine/image.ts';
import type { InstanceFacts } from '../config/instance-facts.ts';
import type { Sealer } from '../db/seal.ts';
import type { Store } from '../db/store.ts';

export interface ImageReferencesDeps {
  store: Store;
  sealer: Sealer;
  /**
   * Returns the credentials with which Docker pulls images of one app from the instance's registry. Users never see
   * these credentials.
   */
  ownRegistryAuth: (appId: number) => RegistryAuth;
  facts: InstanceFacts;
}
