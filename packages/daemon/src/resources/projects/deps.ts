import type { AppsDeps } from '../apps/deps.ts';

/** Dependencies of the functions in this folder. */
export interface ProjectsDeps extends AppsDeps {
  /** Starts a measurement of the projects' disk use soon. Called when quotas change. */
  nudgeQuotas: () => void;
}
