import type { InstanceSettings } from '@davit/api';
import type { Engine } from '../../adapters/engine/engine.ts';
import type { InstanceFacts } from '../../config/instance-facts.ts';
import type { TrashDeps } from '../../trash/deps.ts';

/** Dependencies of the functions in this folder. */
export interface VolumesDeps extends TrashDeps {
  engine: Engine;
  facts: InstanceFacts;
  /** Returns the current settings of the instance. */
  settings: () => InstanceSettings;
}
