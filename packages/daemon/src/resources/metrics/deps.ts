import type { Instance } from '@davit/api';
import type { Engine } from '../../adapters/engine/engine.ts';
import type { EngineSight } from '../../adapters/engine/engine-sight.ts';
import type { InstanceFacts } from '../../config/instance-facts.ts';
import type { Store } from '../../db/store.ts';
import type { Metrics } from './metrics.ts';
import type { Traffic } from './traffic.ts';

export interface MetricsDeps {
  store: Store;
  engine: Engine;
  facts: InstanceFacts;
  engineSight: () => EngineSight;
  metrics: Metrics;
  traffic: Traffic;
  /** Returns the fullest disk of the instance, or `null` if no disk was measured yet. */
  disk: () => Instance['disk'];
  /**
   * Returns warnings for operators.
   * @param projects ids of the projects whose warnings are included, or `null` for all projects. Warnings of the
   * instance are always included.
   */
  warnings: (projects: readonly number[] | null) => string[];
}
