import type { Proxy } from '../adapters/proxy/proxy.ts';
import type { ImageRegistry } from '../adapters/registry/registry.ts';
import type { ManagedServicesDeps } from '../managed-services/deps.ts';
import type { ImagesDeps } from '../resources/images/deps.ts';
import type { RoutingDeps } from '../routing/deps.ts';

export interface ReconcilersDeps extends ManagedServicesDeps, ImagesDeps, RoutingDeps {
  proxy: Proxy;
  /** Registry of the instance. Users push images to this registry. */
  registry: ImageRegistry;
  /** Starts the reconciler that updates the HAProxy routes. */
  nudgeRoutes: () => void;
}
