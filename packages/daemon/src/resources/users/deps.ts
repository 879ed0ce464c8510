import type { Passwords } from '../../auth/passwords.ts';
import type { Store } from '../../db/store.ts';

export interface UsersDeps {
  store: Store;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
  /** Password hashing. It limits the number of parallel hashes, because each one needs much CPU time. */
  passwords: Passwords;
}
