import { parseRange } from './version-range/parse.ts';
import { satisfies } from './version-range/satisfies.ts';

export { hasEmptyAlternative } from './version-range/parse.ts';
export { satisfies } from './version-range/satisfies.ts';

/**
 * Version of Cubeship whose template format this package supports. The version range `minCubeship` of a template is
 * compared with it.
 */
export const CUBESHIP_LEVEL = '0.12.0';
/**
 * Version of Davit whose template format this package supports. The version range `minVersion` of a template is
 * compared with it.
 */
export const DAVIT_LEVEL = '0.1.0';

/**
 * Versions before and after a feature of the template format: the first version with the feature, and the newest
 * versions without it.
 */
export interface Gate {
  since: string;
  without: readonly string[];
}

/**
 * Features of Cubeship that old versions lack. The `minCubeship` of a template with such a feature must exclude all
 * versions without it.
 */
export const CUBESHIP_GATES = {
  volumes: { since: '0.7.0', without: ['0.6.999', '0.7.0-rc.5'] },
  tcp: { since: '0.7.2', without: ['0.7.1', '0.7.2-rc.0'] },
  extensions: { since: '0.9.0', without: ['0.8.999', '0.9.0-rc.0'] },
} as const satisfies Record<string, Gate>;

/**
 * Features that Davit adds to Cubeship's template format. The `minVersion` of a template with such a feature must
 * exclude all Davit versions without it.
 */
export const ADDITIONS_GATE: Gate = { since: '0.1.0', without: ['0.0.999', '0.1.0-rc.0'] };

/** Returns whether a text is a valid version range. */
export function isRange(text: string): boolean {
  return parseRange(text) !== null;
}

/**
 * Returns whether a version range excludes all versions without a feature. An absent version range excludes no
 * version.
 */
export function keepsOut(range: string | undefined, gate: Gate): boolean {
  return range !== undefined && !gate.without.some((version) => satisfies(range, version));
}
