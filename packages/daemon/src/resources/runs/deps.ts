import type { InstanceSettings } from '@davit/api';
import type { Engine } from '../../adapters/engine/engine.ts';
import type { EngineSight } from '../../adapters/engine/engine-sight.ts';
import type { AppSpecDeps } from '../../app-spec/deps.ts';
import type { Runs } from './runs.ts';

/** Dependencies of the functions in this folder. */
export interface RunsDeps extends AppSpecDeps {
  engine: Engine;
  /** Returns the current settings of the instance. */
  settings: () => InstanceSettings;
  engineSight: () => EngineSight;
  /** Runs of commands, started by users or by schedules. */
  runs: Runs;
}
