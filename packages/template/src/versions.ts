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
 * Current version of Davit, and of the template format that this package supports. A template can set `minVersion` to a
 * range of Davit versions.
 */
export const DAVIT_LEVEL = '0.1.0';

/**
 * First version with a template feature (`since`), and the last release and the last prerelease without the feature
 * (`without`).
 */
export interface Gate {
  since: string;
  without: readonly string[];
}

/**
 * Features that older versions of Cubeship, a platform with the same format, lack. `minCubeship` must allow only
 * versions with the feature.
 */
export const CUBESHIP_GATES = {
  volumes: { since: '0.7.0', without: ['0.6.999', '0.7.0-rc.5'] },
  tcp: { since: '0.7.2', without: ['0.7.1', '0.7.2-rc.0'] },
  extensions: { since: '0.9.0', without: ['0.8.999', '0.9.0-rc.0'] },
} as const satisfies Record<string, Gate>;

/**
 * Features that Davit adds to the format of the older platform Cubeship. `minVersion` must allow only Davit versions
 * with the feature.
 */
export const ADDITIONS_GATE: Gate = { since: '0.1.0', without: ['0.0.999', '0.1.0-rc.0'] };

/** Returns whether a text is a valid version range. */
export function isRange(text: string): boolean {
  return parseRange(text) !== null;
}

/**
 * Returns whether a version range allows only versions that support a feature. Returns `false` if there is no version
 * range.
 */
export function keepsOut(range: string | undefined, gate: Gate): boolean {
  return range !== undefined && !gate.without.some((version) => satisfies(range, version));
}
