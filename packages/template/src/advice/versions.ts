import type { Scope } from '../meaning/scope.ts';
import { excerpt } from '../shape/words.ts';
import { hasEmptyAlternative, isRange } from '../versions.ts';

/** An empty alternative is taken by checks and refused at install by the older format. */
export function adviseVersions({ draft, warning }: Scope): void {
  for (const key of ['minCubeship', 'minVersion'] as const) {
    const range = draft[key];
    if (range === undefined || !isRange(range) || !hasEmptyAlternative(range)) continue;
    const message = `There is nothing on one side of the \`||\` in ${excerpt(range)}: not everybody can read that.`;
    warning('advice.empty-alternative', [key], message, 'Remove the `||`.');
  }
}
