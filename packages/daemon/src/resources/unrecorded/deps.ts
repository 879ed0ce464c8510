import type { ImagesDeps } from '../images/deps.ts';

/** What the functions of this folder work with. */
export interface UnrecordedDeps extends ImagesDeps {
  /** Starts a search for volumes without a record soon. Called when one was adopted or removed. */
  nudgeUnrecorded: () => void;
}
