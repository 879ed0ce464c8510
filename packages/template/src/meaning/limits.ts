import type { Path } from '../diagnostic.ts';
import type { DraftLimits } from '../draft.ts';
import { LEAST_CPU, LEAST_MEMORY_BYTES, parseBytes } from '../rules/amounts.ts';
import { excerpt } from '../shape/words.ts';
import type { Scope } from './scope.ts';

/** Checks the CPU and memory limits of an app, a database or an object store. `path` is its path in the template. */
export function checkLimits({ error }: Scope, limits: DraftLimits | undefined, path: Path): void {
  if (limits?.cpu !== undefined && limits.cpu < LEAST_CPU) {
    error('limits.cpu', [...path, 'limits', 'cpu'], `\`cpu\` must be at least ${LEAST_CPU}, but is ${limits.cpu}.`);
  }
  if (limits?.memory === undefined) return;
  const bytes = parseBytes(limits.memory);
  const at = [...path, 'limits', 'memory'];
  if (bytes === null) {
    error(
      'limits.memory',
      at,
      `${excerpt(limits.memory)} is not an amount of memory.`,
      'Write the memory limit as `512Mi` or `1Gi`.',
    );
  } else if (bytes < LEAST_MEMORY_BYTES) {
    error(
      'limits.memory',
      at,
      `\`memory\` must be at least 6Mi, but is ${excerpt(limits.memory)}.`,
      'Write the memory limit as `512Mi` or `1Gi`.',
    );
  }
}
