import type { ImagesDeps } from '../images/deps.ts';

/** Dependencies of the functions in this folder. */
export interface UnrecordedDeps extends ImagesDeps {
  /** Starts a search for volumes without a record soon. Called when one was adopted or removed. */
  nudgeUnrecorded: () => void;
}
