import type { Path } from '../diagnostic.ts';
import type { DraftApp } from '../draft.ts';
import type { Scope } from './scope.ts';

const MOST_COPIES = 100;

/** Between 1 and 100 copies, decided by some use of the processor. */
export function checkAutoscale({ error }: Scope, autoscale: DraftApp['autoscale'], path: Path): void {
  if (autoscale === undefined) return;
  const { min, max, cpu } = autoscale;
  const at = [...path, 'autoscale'];
  if (max < 1 || max > MOST_COPIES) {
    error('autoscale.range', [...at, 'max'], `\`max\` is 1 to ${MOST_COPIES}, not ${max}.`);
  }
  // Not said of a min that is left out: what is wrong then is max.
  if (min !== undefined && (min < 1 || min > max)) {
    error('autoscale.range', [...at, 'min'], `\`min\` is 1 to \`max\` (${max}), not ${min}.`);
  }
  if (cpu <= 0) error('autoscale.range', [...at, 'cpu'], `\`cpu\` is more than 0, where 100 is one core, not ${cpu}.`);
}
