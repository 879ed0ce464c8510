import type { ImagesDeps } from '../images/deps.ts';

export interface UnrecordedDeps extends ImagesDeps {
  /** Triggers a search for Docker volumes without a database row. */
  nudgeUnrecorded: () => void;
}
