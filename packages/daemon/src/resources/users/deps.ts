import type { Passwords } from '../../auth/passwords.ts';
import type { Store } from '../../db/store.ts';

/** Dependencies of the functions in this folder. */
export interface UsersDeps {
  store: Store;
  /** Current time in milliseconds since the epoch. */
  now: () => number;
  /** Hashing of all passwords, which limits the number of parallel hashes. */
  passwords: Passwords;
}
