import type { Path } from '../diagnostic.ts';
import type { DraftApp } from '../draft.ts';
import { FEWEST_COPIES, MOST_COPIES } from '../rules/copies.ts';
import type { Scope } from './scope.ts';

/**
 * Checks the autoscaling settings of an app. The number of replicas must be 1 to 100, and the CPU target must be
 * positive.
 */
export function checkAutoscale({ error }: Scope, autoscale: DraftApp['autoscale'], path: Path): void {
  if (autoscale === undefined) return;
  const { min = FEWEST_COPIES, max, cpu } = autoscale;
  const at = [...path, 'autoscale'];
  if (max < FEWEST_COPIES || max > MOST_COPIES) {
    error('autoscale.range', [...at, 'max'], `\`max\` must be from ${FEWEST_COPIES} to ${MOST_COPIES}, but is ${max}.`);
  }
  if (min < FEWEST_COPIES || min > max) {
    error(
      'autoscale.range',
      [...at, 'min'],
      `\`min\` must be from ${FEWEST_COPIES} to \`max\` (${max}), but is ${min}.`,
    );
  }
  if (cpu <= 0)
    error('autoscale.range', [...at, 'cpu'], `\`cpu\` must be greater than 0, but is ${cpu}. One core is 100.`);
}
