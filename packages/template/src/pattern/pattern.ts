import { parsePattern } from './parse.ts';
import { type Budget, compile, type Program, run } from './program.ts';
import { PatternError } from './tree.ts';

/**
 * Matches untrusted regular expressions of text inputs in linear time. With JavaScript's `RegExp`, some malicious
 * regular expressions would need years.
 */

export type Compiled = { ok: true; pattern: Pattern } | { ok: false; reason: string };

export interface Pattern {
  /**
   * Returns whether the whole text matches. Returns `null` if no steps remain in `budget`, or if the regular expression
   * is too large.
   */
  matches(text: string, budget?: Budget): boolean | null;
}

/**
 * Maximum number of steps of a compiled regular expression. A short regular expression with nested repetitions could
 * have millions of steps.
 */
const MOST_STEPS = 2000;
const USUAL_BUDGET = 1_000_000;

/**
 * Compiles a regular expression. Rejects it with a reason if it is invalid, or if it has different meanings in
 * different tools.
 */
export function compilePattern(text: string): Compiled {
  try {
    const tree = parsePattern(text);
    let program: Program | null | undefined;
    const matches: Pattern['matches'] = (answer, budget = { steps: USUAL_BUDGET }) => {
      program ??= compile(tree, MOST_STEPS);
      return program === null ? null : run(program, answer, budget);
    };
    return { ok: true, pattern: { matches } };
  } catch (error) {
    if (error instanceof PatternError) return { ok: false, reason: error.message };
    throw error;
  }
}
