/** Converts validation errors of the library `zod` to error messages for the author of a davit.yaml. */
import type { z } from 'zod';
import { nearest } from '../errors/nearest.ts';

/** Error in a davit.yaml. It contains the path of the invalid key or value in the parsed data. */
export interface Finding {
  path: PropertyKey[];
  /** Whether the error is about a key of davit.yaml and not about its value. The key is the last element of `path`. */
  ofKey: boolean;
  message: string;
}

type Issue = z.core.$ZodIssue;

const NAMES: Record<string, string> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'keys with values',
  record: 'keys with values',
};

/**
 * Converts a validation error of Zod to errors for the author of a davit.yaml.
 * @param keysAt function that returns the allowed keys at a path, for spelling suggestions
 */
export function findingsOf(
  issue: Issue,
  keysAt: (path: PropertyKey[]) => string[],
  value: (path: PropertyKey[]) => unknown,
): Finding[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], ofKey: true, message: unknownKey(key, keysAt(path)) }));
  }
  if (issue.code === 'invalid_key') {
    const message = issue.issues.map((inner) => inner.message).join('; ');
    return [{ path, ofKey: true, message: `the name ${message}` }];
  }
  if (issue.code === 'invalid_union') {
    const nearer = issue.errors.find((branch) => !branch.some((inner) => isWrongKind(inner)));
    if (nearer)
      return nearer.flatMap((inner) => findingsOf({ ...inner, path: [...path, ...inner.path] }, keysAt, value));
    const kinds = `must be ${[...new Set(kindsOf(issue))].join(' or ')}`;
    return [
      { path, ofKey: false, message: value(path) === null ? 'has no value: for an empty string, write ""' : kinds },
    ];
  }
  return [{ path, ofKey: false, message: sentence(issue, value(path)) }];
}

/**
 * Returns the error message for a value that is too large or too long. Returns `undefined` for any other error, whose
 * message comes from Zod.
 */
export function ownWords(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === 'too_big' ? `must be at most ${issue.maximum}${unitOf(issue.origin)}` : undefined;
}

function isWrongKind(issue: Issue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_union') return issue.errors.every((branch) => branch.some((inner) => isWrongKind(inner)));
  return issue.code === 'invalid_type';
}

/** Returns the types of values that a Zod union accepts, such as `text` or `a number`. */
function kindsOf(issue: Issue): string[] {
  if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(kindsOf);
  return 'expected' in issue ? [nameOf(String(issue.expected))] : [];
}

function unknownKey(key: string, known: string[]): string {
  const [meant] = nearest(key, known);
  if (meant !== undefined) return `"${key}" is not a known key here: did you mean "${meant}"?`;
  return `"${key}" is not a known key here${known.length > 0 ? `: use one of ${known.join(', ')}` : ''}`;
}

function sentence(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return wrongKind(issue.expected, value);
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    default:
      return issue.message;
  }
}

function wrongKind(expected: string, value: unknown): string {
  if (value === undefined) return 'is missing';
  const words = `must be ${nameOf(expected)}`;
  const isBare = typeof value === 'number' || typeof value === 'boolean';
  return expected === 'string' && isBare ? `${words}: put it in quotes` : words;
}

function nameOf(expected: string): string {
  return NAMES[expected] ?? expected;
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' long' : '';
}
