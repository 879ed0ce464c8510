import type { SemVer } from 'semver';
import parse from 'semver/functions/parse.js';
import { type Comparator, parseRange } from './parse.ts';

/**
 * How ranges are read here is not how npm reads them, so versions are compared by `semver` and ranges by this file: a
 * version alone is the least that is wanted; a prerelease satisfies only an alternative that names a prerelease, but
 * then one of any version and not of the same alone; an upper bound such as `^0.7` or `<0.8` is a plain comparison.
 */

/** What makes more of a range than one version. */
const MORE_THAN_A_VERSION = /[<>=~^|*xX,\s]/;

/**
 * Whether a version satisfies a range. A running version that is no version, such as `dev`, satisfies every range;
 * a text that is no range is satisfied by no version.
 */
export function satisfies(range: string, version: string): boolean {
  const running = parse(version);
  if (running === null) return true;
  const wanted = range.trim();
  const alternatives = parseRange(wanted);
  if (alternatives === null) return false;
  const least = alternatives[0]?.[0]?.version;
  if (!MORE_THAN_A_VERSION.test(wanted) && least) return running.compare(least) >= 0;
  return alternatives.some((comparators) => holds(comparators, running));
}

function holds(comparators: readonly Comparator[], running: SemVer): boolean {
  const namesPrerelease = comparators.some(({ version }) => version !== null && version.prerelease.length > 0);
  if (running.prerelease.length > 0 && !namesPrerelease) return false;
  return comparators.every((comparator) => {
    const { version } = comparator;
    return version !== null && HOLDS[comparator.operator](running, version, comparator.open);
  });
}

type Holds = (running: SemVer, wanted: SemVer, open: Comparator['open']) => boolean;

const HOLDS: Record<Comparator['operator'], Holds> = {
  '<': (running, wanted) => running.compare(wanted) < 0,
  '>=': (running, wanted) => running.compare(wanted) >= 0,
  // What is open is everything there: `<=1` holds for 1.9, and `>1` does not.
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

/** The same minor version or, where that is open, the same major one; `~0.0.0` and what is all open: anything. */
function tilde(running: SemVer, wanted: SemVer, open: Comparator['open']): boolean {
  if (running.compare(wanted) < 0) return false;
  const isAllOpen = open !== 'minor' && open !== 'patch' && wanted.compareMain('0.0.0') === 0;
  if (isAllOpen) return true;
  return running.major === wanted.major && (open === 'minor' || running.minor === wanted.minor);
}

/** No change of the first part that is not 0. */
function caret(running: SemVer, wanted: SemVer, open: Comparator['open']): boolean {
  if (running.compare(wanted) < 0) return false;
  if (open === 'major') return true;
  if (running.major !== wanted.major) return false;
  if (wanted.major > 0 || open === 'minor') return true;
  if (running.minor !== wanted.minor) return false;
  return wanted.minor > 0 || open === 'patch' || running.patch === wanted.patch;
}
