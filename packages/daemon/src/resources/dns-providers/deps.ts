import type { Lego } from '../../adapters/lego/lego.ts';
import type { Sealer } from '../../db/seal.ts';
import type { Store } from '../../db/store.ts';

export interface DnsProvidersDeps {
  store: Store;
  sealer: Sealer;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
  /** Starts the background job that orders TLS certificates. */
  nudgeCertificates: () => void;
  /** Client for the APIs of DNS providers (lego), or `null` if Docker is simulated. */
  lego: Lego | null;
}
