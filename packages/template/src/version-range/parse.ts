import type { SemVer } from 'semver';
import parse from 'semver/functions/parse.js';

export type Operator = '=' | '<' | '<=' | '>' | '>=' | '~' | '^';

/**
 * One comparison in a version range. For `>=1.2`, `operator` is `>=`, `version` is 1.2.0, and `open` is `patch`,
 * because the third number is missing.
 */
export interface Comparator {
  operator: Operator;
  /**
   * Version in the comparison. Missing parts and `x` become 0. `null` if a number is too large. In this case, no
   * version matches the comparison.
   */
  version: SemVer | null;
  /**
   * First part of the version that is missing or `x`. For example, `open` is `minor` for the version `1`. It is `none`
   * if the version has all three numbers.
   */
  open: 'none' | 'major' | 'minor' | 'patch';
}

const TOKEN =
  /^(<=|>=|<|>|=|~>|~|\^)?v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
const OPERATOR_ALONE = /^(?:<=|>=|<|>|=|~>|~|\^)$/;

/**
 * Maximum length of a version range in characters. Without this limit, parsing a range of one megabyte would take
 * seconds.
 */
const LONGEST = 1_000;

/**
 * Parses a version range. Alternatives are separated by `||`. All comparisons of an alternative must be true. Empty
 * alternatives are ignored.
 */
export function parseRange(text: string): Comparator[][] | null {
  if (text.length > LONGEST) return null;
  const alternatives: Comparator[][] = [];
  for (const part of text.split('||')) {
    const tokens = part.split(/\s+/).filter((token) => token !== '');
    if (tokens.length === 0) continue;
    const comparators = parseAlternative(tokens);
    if (comparators === null) return null;
    alternatives.push(comparators);
  }
  return alternatives.length > 0 ? alternatives : null;
}

/** Returns whether a version range contains an empty alternative, as in `^1 ||`. */
export function hasEmptyAlternative(text: string): boolean {
  const parts = text.split('||');
  return parts.length > 1 && parts.some((part) => part.trim() === '');
}

/**
 * Comparison that no version matches. It is used for an invalid range such as `>1 - 2`, because a range with ` - ` must
 * not contain operators.
 */
const NOTHING: Comparator = { operator: '=', version: null, open: 'none' };

function parseAlternative(tokens: readonly string[]): Comparator[] | null {
  const comparators: Comparator[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    const [from, to] = tokens[at + 1] === '-' ? [parseEnd(token), parseEnd(tokens[at + 2] ?? '')] : [];
    if (from && to) {
      comparators.push({ ...from, operator: '>=' }, { ...to, operator: '<=' });
      at += 2;
      continue;
    }
    if (token === '-' && at > 0 && at + 1 < tokens.length) {
      comparators.push(NOTHING);
      continue;
    }
    const comparator = OPERATOR_ALONE.test(token) ? parseToken(token + (tokens[++at] ?? '')) : parseToken(token);
    if (comparator === null) return null;
    comparators.push(comparator);
  }
  return comparators;
}

/**
 * Parses one of the two versions in a range such as `1.0.0 - 2.0.0`. Returns `null` if the text starts with an
 * operator, such as `>`.
 */
function parseEnd(token: string): Comparator | null {
  return /^[v\dxX*]/.test(token) ? parseToken(token) : null;
}

function parseToken(token: string): Comparator | null {
  const [whole, operator = '=', major = '', minor = '', patch = '', prerelease = ''] = TOKEN.exec(token) ?? [];
  if (whole === undefined) return null;
  const open = isOpen(major) ? 'major' : isOpen(minor) ? 'minor' : isOpen(patch) ? 'patch' : 'none';
  // If a number of the version is missing or `x`, the numbers after it are ignored. For example, `1.x.3` equals `1.x`.
  const numbers = {
    major: [0, 0, 0],
    minor: [Number(major), 0, 0],
    patch: [Number(major), Number(minor), 0],
    none: [Number(major), Number(minor), Number(patch)],
  }[open];
  return {
    operator: operator === '~>' ? '~' : (operator as Operator),
    version: parse(`${numbers.join('.')}${prerelease}`),
    open,
  };
}

function isOpen(part: string): boolean {
  return part === '' || /^[xX*]$/.test(part);
}
