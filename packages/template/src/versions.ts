import { parseRange } from './version-range/parse.ts';
import { satisfies } from './version-range/satisfies.ts';

export { hasEmptyAlternative } from './version-range/parse.ts';
export { satisfies } from './version-range/satisfies.ts';

/** Cubeship version whose template format this package supports. `minCubeship` is compared with this version. */
export const CUBESHIP_LEVEL = '0.12.0';
/** Davit version whose template format this package supports. `minVersion` is compared with this version. */
export const DAVIT_LEVEL = '0.1.0';

/** First version with a feature of the template format, and the newest versions without it. */
export interface Gate {
  since: string;
  without: readonly string[];
}

/** Cubeship features that a template may use only if its `minCubeship` excludes all versions without the feature. */
export const CUBESHIP_GATES = {
  volumes: { since: '0.7.0', without: ['0.6.999', '0.7.0-rc.5'] },
  tcp: { since: '0.7.2', without: ['0.7.1', '0.7.2-rc.0'] },
  extensions: { since: '0.9.0', without: ['0.8.999', '0.9.0-rc.0'] },
} as const satisfies Record<string, Gate>;

/**
 * Features that Davit adds to the Cubeship format. A template may use them only if its `minVersion` excludes all Davit
 * versions without them.
 */
export const ADDITIONS_GATE: Gate = { since: '0.1.0', without: ['0.0.999', '0.1.0-rc.0'] };

/** Returns whether a text is a valid version range. */
export function isRange(text: string): boolean {
  return parseRange(text) !== null;
}

/** Returns whether a version range excludes all versions without a feature. An absent range excludes no version. */
export function keepsOut(range: string | undefined, gate: Gate): boolean {
  return range !== undefined && !gate.without.some((version) => satisfies(range, version));
}
