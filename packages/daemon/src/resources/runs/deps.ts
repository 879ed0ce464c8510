import type { InstanceSettings } from '@davit/api';
import type { Engine } from '../../adapters/engine/engine.ts';
import type { EngineSight } from '../../adapters/engine/engine-sight.ts';
import type { AppSpecDeps } from '../../app-spec/deps.ts';
import type { Runs } from './runs.ts';

/** What the functions of this folder work with. */
export interface RunsDeps extends AppSpecDeps {
  engine: Engine;
  /** What an admin has set for the whole instance, as it is now. */
  settings: () => InstanceSettings;
  engineSight: () => EngineSight;
  /** Commands that run once, by hand or at set times. */
  runs: Runs;
}
