import type { Store } from '../db/store.ts';

/** Dependencies of this folder. */
export interface TrashDeps {
  store: Store;
  /** Returns the time in milliseconds since the epoch. */
  now: () => number;
  /**
   * Returns the milliseconds that this process has run, independently of changes of the clock. Only the difference of
   * two values is meaningful.
   */
  running: () => number;
}
