import type { Scope } from '../meaning/scope.ts';
import { excerpt } from '../shape/words.ts';
import { hasEmptyAlternative, isRange } from '../versions.ts';

/**
 * Warns about version ranges with an empty alternative, such as `>=0.7 ||`. Davit's check accepts such a range, but
 * Cubeship refuses it at the installation.
 */
export function adviseVersions({ draft, warning }: Scope): void {
  for (const key of ['minCubeship', 'minVersion'] as const) {
    const range = draft[key];
    if (range === undefined || !isRange(range) || !hasEmptyAlternative(range)) continue;
    const message = `One side of the \`||\` in ${excerpt(range)} is empty, which some programs cannot read.`;
    warning('advice.empty-alternative', [key], message, 'Remove the `||`.');
  }
}
