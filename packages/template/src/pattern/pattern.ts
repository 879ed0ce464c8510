import { parsePattern } from './parse.ts';
import { type Budget, compile, type Program, run } from './program.ts';
import { PatternError } from './tree.ts';

/**
 * Matches patterns of text inputs. Patterns and texts are untrusted, and JavaScript's `RegExp` would need years for
 * some patterns. The run time of this engine grows only linearly with the length of the text. It supports the common
 * part of the usual dialects.
 */

export type Compiled = { ok: true; pattern: Pattern } | { ok: false; reason: string };

export interface Pattern {
  /**
   * Returns whether the whole text matches. Returns `null` if the step budget is exceeded or the pattern is too large.
   */
  matches(text: string, budget?: Budget): boolean | null;
}

/**
 * Maximum number of steps of a compiled pattern. A short pattern with nested repetitions can expand to millions of
 * steps.
 */
const MOST_STEPS = 2000;
const USUAL_BUDGET = 1_000_000;

/** Compiles a pattern. A pattern that regular expression dialects interpret differently is refused with the reason. */
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
