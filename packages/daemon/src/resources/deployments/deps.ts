import type { Engine } from '../../adapters/engine/engine.ts';
import type { RegistryAuth } from '../../adapters/engine/image.ts';
import type { Proxy } from '../../adapters/proxy/proxy.ts';
import type { AppSpecDeps } from '../../app-spec/deps.ts';
import type { RoutingDeps } from '../../routing/deps.ts';
import type { RegistryDeps } from '../registry/deps.ts';
import type { Deploys } from './deploys.ts';

export interface DeploymentsDeps extends AppSpecDeps, RegistryDeps, RoutingDeps {
  engine: Engine;
  proxy: Proxy;
  /**
   * Returns credentials for the instance's registry. Docker uses the credentials to pull images of one app, and users
   * never see them.
   */
  ownRegistryAuth: (appId: number) => RegistryAuth;
  /**
   * Returns an error message if the disk has not enough space for new images. Returns `null` if there is enough space.
   */
  diskGuard: () => string | null;
  /** Starts the background job that stops the containers of old releases after their drain time. */
  nudgeRetirement: () => void;
  /** Starts the background job that updates the HAProxy routes. */
  nudgeRoutes: () => void;
  deploys: Deploys;
}
