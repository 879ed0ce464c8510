import type { EngineSight } from '../../adapters/engine/engine-sight.ts';
import type { DeploymentsDeps } from '../deployments/deps.ts';
import type { Runs } from '../runs/runs.ts';

export interface AppsDeps extends DeploymentsDeps {
  engineSight: () => EngineSight;
  /** Commands that users and schedules run in containers of apps. */
  runs: Runs;
}
