import type { Lego } from '../../adapters/lego/lego.ts';
import type { Sealer } from '../../db/seal.ts';
import type { Store } from '../../db/store.ts';

/** Dependencies of the functions in this folder. */
export interface DnsProvidersDeps {
  store: Store;
  sealer: Sealer;
  /** Current time in milliseconds since the epoch. */
  now: () => number;
  /** Triggers a check of the certificates soon, after a change of the hosts. */
  nudgeCertificates: () => void;
  /** DNS client that writes records of domains, or `null` if none is installed. */
  lego: Lego | null;
}
