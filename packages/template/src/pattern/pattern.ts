import { parsePattern } from './parse.ts';
import { type Budget, compile, type Program, run } from './program.ts';
import { PatternError } from './tree.ts';

/**
 * Matches untrusted regular expressions of text inputs in linear time, because JavaScript's `RegExp` would need years
 * for some of them.
 */

export type Compiled = { ok: true; pattern: Pattern } | { ok: false; reason: string };

export interface Pattern {
  /**
   * Returns whether the whole text matches, or `null` if the steps in `budget` are used up or the regular expression is
   * too large.
   */
  matches(text: string, budget?: Budget): boolean | null;
}

/**
 * Maximum number of steps of a compiled regular expression, because a short one with nested repetitions can have
 * millions of steps.
 */
const MOST_STEPS = 2000;
const USUAL_BUDGET = 1_000_000;

/**
 * Compiles a regular expression. If the expression is invalid or has different meanings in different tools, rejects it
 * and returns the reason.
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
