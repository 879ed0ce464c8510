/** Syntax tree of a regular expression. */
export type PatternNode =
  /**
   * Set of characters in a regular expression. Checking whether the set contains a character needs at most `cost`
   * comparisons.
   */
  | { is: 'set'; has: Has; cost: number }
  | { is: 'assert'; what: Assertion }
  | { is: 'sequence'; of: PatternNode[] }
  | { is: 'either'; of: PatternNode[] }
  | { is: 'repeat'; of: PatternNode; min: number; max: number };

export type Has = (codePoint: number) => boolean;

export type Assertion = 'start' | 'end' | 'boundary' | 'inside';

/**
 * Error for an invalid or ambiguous regular expression. The error message is shown after the text "The pattern is not a
 * portable regular expression:".
 */
export class PatternError extends Error {}
