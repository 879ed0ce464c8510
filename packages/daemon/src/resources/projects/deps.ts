import type { AppsDeps } from '../apps/deps.ts';

export interface ProjectsDeps extends AppsDeps {
  /** Starts a measurement of the projects' disk use. Called after a change of a quota. */
  nudgeQuotas: () => void;
}
