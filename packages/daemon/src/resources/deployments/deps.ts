import type { Engine } from '../../adapters/engine/engine.ts';
import type { RegistryAuth } from '../../adapters/engine/image.ts';
import type { Proxy } from '../../adapters/proxy/proxy.ts';
import type { AppSpecDeps } from '../../app-spec/deps.ts';
import type { RoutingDeps } from '../../routing/deps.ts';
import type { RegistryDeps } from '../registry/deps.ts';
import type { Deploys } from './deploys.ts';

/** What the functions of this folder work with. */
export interface DeploymentsDeps extends AppSpecDeps, RegistryDeps, RoutingDeps {
  engine: Engine;
  proxy: Proxy;
  /**
   * The credential of one app in the instance's own registry, with which the engine pulls. It is never shown to users.
   */
  ownRegistryAuth: (appId: number) => RegistryAuth;
  /** Why nothing that brings a new image may begin, in a sentence: the disk is nearly full. Null: there is room. */
  diskGuard: () => string | null;
  /** Asks for retired releases to be looked after soon. */
  nudgeRetirement: () => void;
  /** Asks for the routes to be made true soon; for changes that nobody waits for. */
  nudgeRoutes: () => void;
  deploys: Deploys;
}
