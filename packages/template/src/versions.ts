import { parseRange } from './version-range/parse.ts';
import { satisfies } from './version-range/satisfies.ts';

export { hasEmptyAlternative } from './version-range/parse.ts';
export { satisfies } from './version-range/satisfies.ts';

/**
 * Version of the older platform Cubeship whose template format this package supports. It is compared with the version
 * range `minCubeship` of a template.
 */
export const CUBESHIP_LEVEL = '0.12.0';
/**
 * Current version of Davit, and of the template format that this package supports. A template can set `minVersion` to a
 * range of Davit versions.
 */
export const DAVIT_LEVEL = '0.1.0';

/**
 * Versions around the introduction of a template feature. `since` is the first version with the feature. `without`
 * contains the last release and the last prerelease without the feature.
 */
export interface Gate {
  since: string;
  without: readonly string[];
}

/**
 * Template features that older versions of the platform Cubeship lack. If a template uses such a feature, `minCubeship`
 * must exclude these versions.
 */
export const CUBESHIP_GATES = {
  volumes: { since: '0.7.0', without: ['0.6.999', '0.7.0-rc.5'] },
  tcp: { since: '0.7.2', without: ['0.7.1', '0.7.2-rc.0'] },
  extensions: { since: '0.9.0', without: ['0.8.999', '0.9.0-rc.0'] },
} as const satisfies Record<string, Gate>;

/**
 * Features that Davit has added to the template format of the older platform Cubeship. If a template uses these
 * features, `minVersion` must exclude Davit versions without them.
 */
export const ADDITIONS_GATE: Gate = { since: '0.1.0', without: ['0.0.999', '0.1.0-rc.0'] };

/** Returns whether a text is a valid version range. */
export function isRange(text: string): boolean {
  return parseRange(text) !== null;
}

/**
 * Returns whether a version range allows only versions that support a feature. Returns `false` if the version range is
 * missing.
 */
export function keepsOut(range: string | undefined, gate: Gate): boolean {
  return range !== undefined && !gate.without.some((version) => satisfies(range, version));
}
