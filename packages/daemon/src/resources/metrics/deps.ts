import type { Instance } from '@davit/api';
import type { Engine } from '../../adapters/engine/engine.ts';
import type { EngineSight } from '../../adapters/engine/engine-sight.ts';
import type { InstanceFacts } from '../../config/instance-facts.ts';
import type { Store } from '../../db/store.ts';
import type { Metrics } from './metrics.ts';
import type { Traffic } from './traffic.ts';

/** What the functions of this folder work with. */
export interface MetricsDeps {
  store: Store;
  engine: Engine;
  facts: InstanceFacts;
  engineSight: () => EngineSight;
  /** What apps and the machine used. */
  metrics: Metrics;
  /** What was asked of apps. */
  traffic: Traffic;
  /** The fullest of the disks that the instance needs; null before one was seen. */
  disk: () => Instance['disk'];
  /**
   * Warnings for operators.
   * @param projects only those about the instance itself and these projects; null: all of them
   */
  warnings: (projects: readonly number[] | null) => string[];
}
