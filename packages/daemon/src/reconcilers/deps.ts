import type { Proxy } from '../adapters/proxy/proxy.ts';
import type { ImageRegistry } from '../adapters/registry/registry.ts';
import type { ManagedServicesDeps } from '../managed-services/deps.ts';
import type { ImagesDeps } from '../resources/images/deps.ts';
import type { RoutingDeps } from '../routing/deps.ts';

/** Dependencies of this folder. */
export interface ReconcilersDeps extends ManagedServicesDeps, ImagesDeps, RoutingDeps {
  proxy: Proxy;
  /** Registry of the instance, to which apps are pushed. */
  registry: ImageRegistry;
  /** Requests an update of the proxy's routes soon, for changes that no request waits for. */
  nudgeRoutes: () => void;
}
