import type { Deploys } from '../deploy/deploys.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Base } from '../release/base.ts';
import type { Live } from './live.ts';

/** What the core's functions work with: the base and the deploy machine on it. */
export interface Core extends Base {
  deploys: Deploys;
  /** What happens, as it happens. */
  live: Live;
  /** What apps and the machine used. */
  metrics: Metrics;
  /** What an operator should know, in sentences. */
  warnings: () => string[];
}
