import type { SemVer } from 'semver';
import parse from 'semver/functions/parse.js';

export type Operator = '=' | '<' | '<=' | '>' | '>=' | '~' | '^';

/**
 * One condition of an alternative. For example, `>=1.2` has the operator `>=` and the version 1.2.0 with an open patch
 * part.
 */
export interface Comparator {
  operator: Operator;
  /** Version with 0 for the open parts. `null` if a number is too large, so that no version satisfies the condition. */
  version: SemVer | null;
  /** First part that is absent or `x`. `none` if the version is complete. */
  open: 'none' | 'major' | 'minor' | 'patch';
}

const TOKEN =
  /^(<=|>=|<|>|=|~>|~|\^)?v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
const OPERATOR_ALONE = /^(?:<=|>=|<|>|=|~>|~|\^)$/;

/** Maximum number of characters. Parsing a megabyte of versions would take seconds. */
const LONGEST = 1_000;

/**
 * Parses a version range: alternatives between `||`, each with comparators that must all hold. Returns `null` if the
 * text is not a range. An empty alternative is ignored, because some programs accept it and others do not.
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

/** Returns whether one of several alternatives is empty, as in `^1 ||`. */
export function hasEmptyAlternative(text: string): boolean {
  const parts = text.split('||');
  return parts.length > 1 && parts.some((part) => part.trim() === '');
}

/** A hyphen between texts other than two plain versions is accepted, but no version satisfies it. */
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

/** Parses one end of `1.0.0 - 2.0.0`, which must be a plain version. */
function parseEnd(token: string): Comparator | null {
  return /^[v\dxX*]/.test(token) ? parseToken(token) : null;
}

function parseToken(token: string): Comparator | null {
  const [whole, operator = '=', major = '', minor = '', patch = '', prerelease = ''] = TOKEN.exec(token) ?? [];
  if (whole === undefined) return null;
  const open = isOpen(major) ? 'major' : isOpen(minor) ? 'minor' : isOpen(patch) ? 'patch' : 'none';
  // All parts after an open part are open too: `1.x.3` equals `1.x`.
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
