import type { InstanceSettings } from '@davit/api';
import type { Engine } from '../../adapters/engine/engine.ts';
import type { InstanceFacts } from '../../config/instance-facts.ts';
import type { TrashDeps } from '../../trash/deps.ts';

export interface VolumesDeps extends TrashDeps {
  engine: Engine;
  facts: InstanceFacts;
  settings: () => InstanceSettings;
}
