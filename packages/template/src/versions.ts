import { parseRange } from './version-range/parse.ts';
import { satisfies } from './version-range/satisfies.ts';

export { hasEmptyAlternative } from './version-range/parse.ts';
export { satisfies } from './version-range/satisfies.ts';

/** The version of the older format that this one reads all of: what `minCubeship` is held against. */
export const CUBESHIP_LEVEL = '0.12.0';
/** The version of Davit whose templates these are: what `minVersion` is held against. */
export const DAVIT_LEVEL = '0.1.0';

/** Since when there is a feature, and the newest versions without it. */
export interface Gate {
  since: string;
  without: readonly string[];
}

/** What a file may use only when its `minCubeship` refuses everything that does not have it. */
export const CUBESHIP_GATES = {
  volumes: { since: '0.7.0', without: ['0.6.999', '0.7.0-rc.5'] },
  tcp: { since: '0.7.2', without: ['0.7.1', '0.7.2-rc.0'] },
  extensions: { since: '0.9.0', without: ['0.8.999', '0.9.0-rc.0'] },
} as const satisfies Record<string, Gate>;

/** What a file may use of Davit's own only when its `minVersion` refuses everything that does not have it. */
export const ADDITIONS_GATE: Gate = { since: '0.1.0', without: ['0.0.999', '0.1.0-rc.0'] };

/** Whether a text is a version range. */
export function isRange(text: string): boolean {
  return parseRange(text) !== null;
}

/** Whether a range refuses every version before the feature; no range refuses none. */
export function keepsOut(range: string | undefined, gate: Gate): boolean {
  return range !== undefined && !gate.without.some((version) => satisfies(range, version));
}
