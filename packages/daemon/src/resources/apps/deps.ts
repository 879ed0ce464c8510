import type { EngineSight } from '../../adapters/engine/engine-sight.ts';
import type { DeploymentsDeps } from '../deployments/deps.ts';
import type { Runs } from '../runs/runs.ts';

/** Dependencies of the functions in this folder. */
export interface AppsDeps extends DeploymentsDeps {
  engineSight: () => EngineSight;
  /** Runs of commands, started by users or by schedules. */
  runs: Runs;
}
