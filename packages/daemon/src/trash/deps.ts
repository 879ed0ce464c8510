import type { Store } from '../db/store.ts';

/** What the functions of this folder work with. */
export interface TrashDeps {
  store: Store;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Milliseconds that this process has run, which nobody sets; what counts is the difference of two. */
  running: () => number;
}
