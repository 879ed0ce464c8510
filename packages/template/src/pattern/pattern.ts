import { parsePattern } from './parse.ts';
import { type Budget, compile, type Program, run } from './program.ts';
import { PatternError } from './tree.ts';

/**
 * Matches patterns of text inputs. Both the patterns and the texts are untrusted, and some patterns would keep the
 * RegExp engine of JavaScript busy for years. This engine reads the common part of the usual dialects. Its run time
 * grows only linearly with the length of the text.
 */

export type Compiled = { ok: true; pattern: Pattern } | { ok: false; reason: string };

export interface Pattern {
  /** Returns whether the whole text matches, or `null` if the budget is exceeded or the pattern is too large. */
  matches(text: string, budget?: Budget): boolean | null;
}

/** Maximum number of steps. A short pattern with nested repetitions can expand to millions of steps. */
const MOST_STEPS = 2000;
const USUAL_BUDGET = 1_000_000;

/**
 * Compiles a pattern. A pattern that dialects read differently, or that only some support, is refused with the reason.
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
