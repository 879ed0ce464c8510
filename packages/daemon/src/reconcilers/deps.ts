import type { Proxy } from '../adapters/proxy/proxy.ts';
import type { ImageRegistry } from '../adapters/registry/registry.ts';
import type { ManagedServicesDeps } from '../managed-services/deps.ts';
import type { ImagesDeps } from '../resources/images/deps.ts';
import type { RoutingDeps } from '../routing/deps.ts';

/** What the functions of this folder work with. */
export interface ReconcilersDeps extends ManagedServicesDeps, ImagesDeps, RoutingDeps {
  proxy: Proxy;
  /** The instance's own one, where apps are pushed to. */
  registry: ImageRegistry;
  /** Asks for the routes to be made true soon; for changes that nobody waits for. */
  nudgeRoutes: () => void;
}
