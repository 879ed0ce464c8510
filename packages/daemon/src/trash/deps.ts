import type { Store } from '../db/store.ts';

export interface TrashDeps {
  store: Store;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
  /**
   * Returns the running time of this process in milliseconds (monotonic clock). A change of the server's clock does not
   * affect this time.
   */
  running: () => number;
}
