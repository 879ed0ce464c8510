import type { AddressRule } from '@davit/service';
import type { Proxy } from '../../adapters/proxy/proxy.ts';
import type { RoutingDeps } from '../../routing/deps.ts';

export interface CertificatesDeps extends RoutingDeps {
  proxy: Proxy;
  /** Returns whether an IP address belongs to this server and other machines can reach this address. */
  isOwnAddress: AddressRule;
  /** Starts the background job that updates the HAProxy routes. */
  nudgeRoutes: () => void;
  /** Starts the background job that orders certificates, for example after a change of host names. */
  nudgeCertificates: () => void;
}
