import type { AddressRule } from '@davit/service';
import type { Proxy } from '../../adapters/proxy/proxy.ts';
import type { RoutingDeps } from '../../routing/deps.ts';

export interface CertificatesDeps extends RoutingDeps {
  proxy: Proxy;
  /** Returns whether an IP address belongs to this server and is reachable from other machines. */
  isOwnAddress: AddressRule;
  /** Triggers the reconciler that updates the HAProxy routes. */
  nudgeRoutes: () => void;
  /** Triggers the certificate reconciler, for example after a change of host names. */
  nudgeCertificates: () => void;
}
