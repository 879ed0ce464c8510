import type { AddressRule } from '@davit/service';
import type { Proxy } from '../../adapters/proxy/proxy.ts';
import type { RoutingDeps } from '../../routing/deps.ts';

/** Dependencies of the functions in this folder. */
export interface CertificatesDeps extends RoutingDeps {
  proxy: Proxy;
  /** Returns whether an address is one of this server's addresses that other machines reach. */
  isOwnAddress: AddressRule;
  /** Triggers an update of the routes soon, for changes that no request waits for. */
  nudgeRoutes: () => void;
  /** Triggers a check of the certificates soon, after a change of the hosts. */
  nudgeCertificates: () => void;
}
