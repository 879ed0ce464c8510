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
   * Returns the credentials with which Docker pulls images of one app from the instance's registry. Users never see
   * them.
   */
  ownRegistryAuth: (appId: number) => RegistryAuth;
  /** Returns the reason if the disk is too full to pull new images, or `null` if there is enough space. */
  diskGuard: () => string | null;
  /** Triggers the reconciler that stops the containers of old releases after their drain time. */
  nudgeRetirement: () => void;
  /** Triggers the reconciler that updates the HAProxy routes. */
  nudgeRoutes: () => void;
  deploys: Deploys;
}
