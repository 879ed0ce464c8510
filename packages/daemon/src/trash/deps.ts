import type { Store } from '../db/store.ts';

export interface TrashDeps {
  store: Store;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
  /**
   * Returns for how many milliseconds this process has run. Unlike `now`, the value does not change when someone sets
   * the server's clock.
   */
  running: () => number;
}
