import { parsePattern } from './parse.ts';
import { type Budget, compile, type Program, run } from './program.ts';
import { PatternError } from './tree.ts';

/**
 * Patterns of text inputs come from strangers and are held against what strangers answer, so they are not given to the
 * language's own engine, which some of them keep busy for years. They are read in what the common dialects share, and
 * matched in a time that grows with the length of the text alone.
 */

export type Compiled = { ok: true; pattern: Pattern } | { ok: false; reason: string };

export interface Pattern {
  /** Whether the whole text matches. Null: that costs more than the budget, or the pattern is too large. */
  matches(text: string, budget?: Budget): boolean | null;
}

/** A pattern that repeats groups of groups can be short and mean millions of steps. */
const MOST_STEPS = 2000;
const USUAL_BUDGET = 1_000_000;

/** Reads a pattern; one that only some programs understand, or each in its own way, is refused with the reason. */
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
