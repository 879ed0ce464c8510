import type { EngineSight } from '../../adapters/engine/engine-sight.ts';
import type { DeploymentsDeps } from '../deployments/deps.ts';
import type { Runs } from '../runs/runs.ts';

/** What the functions of this folder work with. */
export interface AppsDeps extends DeploymentsDeps {
  engineSight: () => EngineSight;
  /** Commands that run once, by hand or at set times. */
  runs: Runs;
}
