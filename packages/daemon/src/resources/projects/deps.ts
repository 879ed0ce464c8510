import type { AppsDeps } from '../apps/deps.ts';

export interface ProjectsDeps extends AppsDeps {
  /** Starts a measurement of the projects' disk use soon. The quota functions call it after a change. */
  nudgeQuotas: () => void;
}
