import type { Engine } from '../../adapters/engine/engine.ts';
import type { RegistryAuth } from '../../adapters/engine/image.ts';
import type { Proxy } from '../../adapters/proxy/proxy.ts';
import type { AppSpecDeps } from '../../app-spec/deps.ts';
import type { RoutingDeps } from '../../routing/deps.ts';
import type { RegistryDeps } from '../registry/deps.ts';
import type { Deploys } from './deploys.ts';

/** Dependencies of the functions in this folder. */
export interface DeploymentsDeps extends AppSpecDeps, RegistryDeps, RoutingDeps {
  engine: Engine;
  proxy: Proxy;
  /**
   * Returns the credential of one app for the instance's own registry, with which the engine pulls. Users never see it.
   */
  ownRegistryAuth: (appId: number) => RegistryAuth;
  /**
   * Returns why no deployment may bring a new image (the disk is nearly full), as a sentence, or `null` if there is
   * space.
   */
  diskGuard: () => string | null;
  /** Triggers the retirement of old releases soon. */
  nudgeRetirement: () => void;
  /** Triggers an update of the routes soon, for changes that no request waits for. */
  nudgeRoutes: () => void;
  deploys: Deploys;
}
