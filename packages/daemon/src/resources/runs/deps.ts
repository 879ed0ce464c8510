import type { InstanceSettings } from '@davit/api';
import type { Engine } from '../../adapters/engine/engine.ts';
import type { EngineSight } from '../../adapters/engine/engine-sight.ts';
import type { AppSpecDeps } from '../../app-spec/deps.ts';
import type { Runs } from './runs.ts';

export interface RunsDeps extends AppSpecDeps {
  engine: Engine;
  settings: () => InstanceSettings;
  engineSight: () => EngineSight;
  runs: Runs;
}
