import type { Passwords } from '../../auth/passwords.ts';
import type { Store } from '../../db/store.ts';

/** What the functions of this folder work with. */
export interface UsersDeps {
  store: Store;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Where every password is hashed, so that a few at a time are. */
  passwords: Passwords;
}
