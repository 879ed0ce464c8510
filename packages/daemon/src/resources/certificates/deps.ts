import type { AddressRule } from '@davit/service';
import type { Proxy } from '../../adapters/proxy/proxy.ts';
import type { RoutingDeps } from '../../routing/deps.ts';

/** What the functions of this folder work with. */
export interface CertificatesDeps extends RoutingDeps {
  proxy: Proxy;
  /** Whether other machines reach this server under an address. */
  isOwnAddress: AddressRule;
  /** Asks for the routes to be made true soon; for changes that nobody waits for. */
  nudgeRoutes: () => void;
  /** Asks for the certificates to be looked after soon: after a change of what hosts there are. */
  nudgeCertificates: () => void;
}
