import { parsePattern } from './parse.ts';
import { type Budget, compile, type Program, run } from './program.ts';
import { PatternError } from './tree.ts';

/**
 * Matches the regular expressions of text inputs. Expressions and texts are untrusted, and JavaScript's `RegExp` would
 * need years for some expressions. The run time of this implementation grows only linearly with the length of the text.
 * It supports the syntax that the common dialects share.
 */

export type Compiled = { ok: true; pattern: Pattern } | { ok: false; reason: string };

export interface Pattern {
  /**
   * Returns whether the regular expression matches the whole text. Returns `null` if the step limit in `budget` is
   * exceeded or the expression is too large.
   */
  matches(text: string, budget?: Budget): boolean | null;
}

/**
 * Maximum number of steps of a compiled regular expression. The limit is needed because a short expression with nested
 * repetitions can compile to millions of steps.
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
