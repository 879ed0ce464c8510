import type { SemVer } from 'semver';
import parse from 'semver/functions/parse.js';

export type Operator = '=' | '<' | '<=' | '>' | '>=' | '~' | '^';

/** One condition of an alternative: `>=1.2` has the operator `>=` and the version 1.2.0 of which the patch is open. */
export interface Comparator {
  operator: Operator;
  /** What is open counts as 0. Null: a number that no version reaches, which nothing satisfies. */
  version: SemVer | null;
  /** The first part that is left out or an `x`; `none`: it names one version. */
  open: 'none' | 'major' | 'minor' | 'patch';
}

const TOKEN =
  /^(<=|>=|<|>|=|~>|~|\^)?v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
const OPERATOR_ALONE = /^(?:<=|>=|<|>|=|~>|~|\^)$/;

/** Characters: each version is read at length, and a megabyte of them would take seconds. */
const LONGEST = 1_000;

/**
 * Reads a version range: alternatives between `||`, each a list of comparators that all must hold. Null: it is none.
 * An empty alternative, which some readers take and others refuse, counts as absent.
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

/** Whether one of several alternatives is empty, as in `^1 ||`. */
export function hasEmptyAlternative(text: string): boolean {
  const parts = text.split('||');
  return parts.length > 1 && parts.some((part) => part.trim() === '');
}

/** A hyphen between what are no two plain versions is taken, and then satisfied by nothing. */
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

/** An end of `1.0.0 - 2.0.0` is a plain version. */
function parseEnd(token: string): Comparator | null {
  return /^[v\dxX*]/.test(token) ? parseToken(token) : null;
}

function parseToken(token: string): Comparator | null {
  const [whole, operator = '=', major = '', minor = '', patch = '', prerelease = ''] = TOKEN.exec(token) ?? [];
  if (whole === undefined) return null;
  const open = isOpen(major) ? 'major' : isOpen(minor) ? 'minor' : isOpen(patch) ? 'patch' : 'none';
  // What stands behind an open part is open too: `1.x.3` is `1.x`.
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
