import type { ImagesDeps } from '../images/deps.ts';

export interface UnrecordedDeps extends ImagesDeps {
  /** Starts a search for Docker volumes without a database row soon. */
  nudgeUnrecorded: () => void;
}
