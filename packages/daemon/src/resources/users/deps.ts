import type { Passwords } from '../../auth/passwords.ts';
import type { Store } from '../../db/store.ts';

export interface UsersDeps {
  store: Store;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
  /** Hashes and verifies passwords. Limits the number of hashes that are computed at the same time. */
  passwords: Passwords;
}
