/** A regular expression, read. */
export type PatternNode =
  /** `cost`: how many comparisons it may take. */
  | { is: 'set'; has: Has; cost: number }
  | { is: 'assert'; what: Assertion }
  | { is: 'sequence'; of: PatternNode[] }
  | { is: 'either'; of: PatternNode[] }
  | { is: 'repeat'; of: PatternNode; min: number; max: number };

/** Whether a set holds a code point. */
export type Has = (codePoint: number) => boolean;

export type Assertion = 'start' | 'end' | 'boundary' | 'inside';

/** Why a text is no pattern that is understood alike everywhere; completes «the pattern does not work everywhere:». */
export class PatternError extends Error {}
