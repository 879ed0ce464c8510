import type { Store } from '../db/store.ts';

export interface TrashDeps {
  store: Store;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
  /**
   * Monotonic clock: returns for how many milliseconds this process has run. A change of the server's clock does not
   * affect it.
   */
  running: () => number;
}
