import type { Store } from '../db/store.ts';

export interface TrashDeps {
  store: Store;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
  /**
   * Monotonic clock: returns how long this process has run, in milliseconds. A change of the server's clock does not
   * affect it.
   */
  running: () => number;
}
