import type { SemVer } from 'semver';
import parse from 'semver/functions/parse.js';
import { type Comparator, parseRange } from './parse.ts';

/**
 * Checks whether versions match version ranges. The package `semver` cannot check the ranges, because their rules
 * differ from the rules of npm.
 */

/** Matches characters that occur in version ranges but not in a single version. */
const MORE_THAN_A_VERSION = /[<>=~^|*xX,\s]/;

/**
 * Returns whether a version satisfies a range. Text that is not a version, such as `dev`, satisfies every valid range.
 * No version satisfies an invalid range.
 */
export function satisfies(range: string, version: string): boolean {
  const running = parse(version);
  if (running === null) return true;
  const wanted = range.trim();
  const alternatives = parseRange(wanted);
  if (alternatives === null) return false;
  const least = alternatives[0]?.[0]?.version;
  // Unlike in npm, a version without an operator is a minimum version.
  if (!MORE_THAN_A_VERSION.test(wanted) && least) return running.compare(least) >= 0;
  return alternatives.some((comparators) => holds(comparators, running));
}

function holds(comparators: readonly Comparator[], running: SemVer): boolean {
  // A prerelease version satisfies an alternative of a range only if this alternative contains a prerelease version.
  const namesPrerelease = comparators.some(({ version }) => version !== null && version.prerelease.length > 0);
  if (running.prerelease.length > 0 && !namesPrerelease) return false;
  return comparators.every((comparator) => {
    const { version } = comparator;
    return version !== null && HOLDS[comparator.operator](running, version, comparator.open);
  });
}

type Holds = (running: SemVer, wanted: SemVer, open: Comparator['open']) => boolean;

/** Unlike in npm, upper limits such as `^0.7` or `<0.8` have no special rule for prerelease versions. */
const HOLDS: Record<Comparator['operator'], Holds> = {
  '<': (running, wanted) => running.compare(wanted) < 0,
  '>=': (running, wanted) => running.compare(wanted) >= 0,
  // In a range, `1` means all versions 1.x. Therefore, version 1.9 satisfies `<=1` but not `>1`.
  '<=': (running, wanted, open) => running.compare(wanted) <= 0 || isWithinOpen(running, wanted, open),
  '>': (running, wanted, open) => running.compare(wanted) > 0 && !isWithinOpen(running, wanted, open),
  '=': (running, wanted, open) => (open === 'none' ? running.compare(wanted) === 0 : tilde(running, wanted, open)),
  '~': (running, wanted, open) => tilde(running, wanted, open),
  '^': (running, wanted, open) => caret(running, wanted, open),
};

function isWithinOpen(running: SemVer, wanted: SemVer, open: Comparator['open']): boolean {
  if (open === 'minor') return running.major === wanted.major;
  return open === 'patch' && running.major === wanted.major && running.minor === wanted.minor;
}

/**
 * Checks a `~` range. `~1.2.3` matches 1.2.3 and later 1.2.x versions, and `~1` matches all 1.x versions. As
 * exceptions, `~0.0.0` and `~x` match every version.
 */
function tilde(running: SemVer, wanted: SemVer, open: Comparator['open']): boolean {
  if (running.compare(wanted) < 0) return false;
  const isAllOpen = open !== 'minor' && open !== 'patch' && wanted.compareMain('0.0.0') === 0;
  if (isAllOpen) return true;
  return running.major === wanted.major && (open === 'minor' || running.minor === wanted.minor);
}

/**
 * Checks a `^` range. A matching version is not lower than `wanted`, and is equal up to the first number that is not 0.
 * For example, `^0.7` matches 0.7.3 but not 0.8.0.
 */
function caret(running: SemVer, wanted: SemVer, open: Comparator['open']): boolean {
  if (running.compare(wanted) < 0) return false;
  if (open === 'major') return true;
  if (running.major !== wanted.major) return false;
  if (wanted.major > 0 || open === 'minor') return true;
  if (running.minor !== wanted.minor) return false;
  return wanted.minor > 0 || open === 'patch' || running.patch === wanted.patch;
}
