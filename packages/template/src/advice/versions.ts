import type { Scope } from '../meaning/scope.ts';
import { excerpt } from '../shape/words.ts';
import { hasEmptyAlternative, isRange } from '../versions.ts';

/**
 * Warns about an empty alternative in a version range, such as `>=0.7 ||`. The older platform Cubeship rejects
 * templates with such a range.
 */
export function adviseVersions({ draft, warning }: Scope): void {
  for (const key of ['minCubeship', 'minVersion'] as const) {
    const range = draft[key];
    if (range === undefined || !isRange(range) || !hasEmptyAlternative(range)) continue;
    const message = `One side of the \`||\` in ${excerpt(range)} is empty, which some programs cannot read.`;
    warning('advice.empty-alternative', [key], message, 'Remove the `||`.');
  }
}
