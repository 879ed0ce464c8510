import type { AppsDeps } from '../apps/deps.ts';

/** What the functions of this folder work with. */
export interface ProjectsDeps extends AppsDeps {
  /** Starts a measurement of the projects' disk use soon. Called when quotas change. */
  nudgeQuotas: () => void;
}
