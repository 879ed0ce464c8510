import type { Lego } from '../../adapters/lego/lego.ts';
import type { Sealer } from '../../db/seal.ts';
import type { Store } from '../../db/store.ts';

/** What the functions of this folder work with. */
export interface DnsProvidersDeps {
  store: Store;
  sealer: Sealer;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Asks for the certificates to be looked after soon: after a change of what hosts there are. */
  nudgeCertificates: () => void;
  /** What writes records of domains; null: nothing can here. */
  lego: Lego | null;
}
