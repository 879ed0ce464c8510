/** A parsed regular expression. */
export type PatternNode =
  /** `cost` is the maximum number of comparisons. */
  | { is: 'set'; has: Has; cost: number }
  | { is: 'assert'; what: Assertion }
  | { is: 'sequence'; of: PatternNode[] }
  | { is: 'either'; of: PatternNode[] }
  | { is: 'repeat'; of: PatternNode; min: number; max: number };

/** Returns whether a set contains a code point. */
export type Has = (codePoint: number) => boolean;

export type Assertion = 'start' | 'end' | 'boundary' | 'inside';

/**
 * A pattern that is invalid or that dialects read differently. The message completes "the pattern does not work
 * everywhere:".
 */
export class PatternError extends Error {}
