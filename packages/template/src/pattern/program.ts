import { codeOf, isWord } from './sets.ts';
import type { Assertion, Has, PatternNode } from './tree.ts';

type Step =
  | { does: 'read'; has: Has; cost: number }
  | { does: 'assert'; what: Assertion }
  | { does: 'fork'; to: number[] };

/**
 * Compiled regular expression. Its steps form a state machine that reads a text once. The text matches if the machine
 * completes the last step at the end of the text.
 */
export type Program = readonly Step[];

/**
 * Limit for the work of matching regular expressions. `steps` is the number of remaining steps. Several matches can
 * share one limit.
 */
export interface Budget {
  steps: number;
}

/**
 * Converts a regular expression to the steps of a state machine.
 * @param most maximum number of steps. Returns `null` if the regular expression needs more steps
 */
export function compile(node: PatternNode, most: number): Program | null {
  const program: Step[] = [];
  return emit(node, program, most) ? program : null;
}

function emit(node: PatternNode, program: Step[], most: number): boolean {
  if (program.length >= most) return false;
  switch (node.is) {
    case 'set':
      program.push({ does: 'read', has: node.has, cost: node.cost });
      return true;
    case 'assert':
      program.push({ does: 'assert', what: node.what });
      return true;
    case 'sequence':
      return node.of.every((part) => emit(part, program, most));
    case 'either':
      return emitEither(node.of, program, most);
    case 'repeat':
      return emitRepeat(node, program, most);
  }
}

function emitEither(branches: readonly PatternNode[], program: Step[], most: number): boolean {
  const ends: number[][] = [];
  for (const [index, branch] of branches.entries()) {
    const fork: number[] = [program.length + 1];
    program.push({ does: 'fork', to: fork });
    if (!emit(branch, program, most)) return false;
    const end: number[] = [];
    ends.push(end);
    program.push({ does: 'fork', to: end });
    if (index < branches.length - 1) fork.push(program.length);
  }
  for (const end of ends) end.push(program.length);
  return true;
}

function emitRepeat({ of, min, max }: Extract<PatternNode, { is: 'repeat' }>, program: Step[], most: number): boolean {
  for (let time = 0; time < min; time++) {
    const before = program.length;
    if (!emit(of, program, most)) return false;
    /*
     * If the repeated group is empty, further repetitions have no effect. The loop stops, because nested repetitions
     * would take too long.
     */
    if (program.length === before) break;
  }
  if (max === Number.POSITIVE_INFINITY) {
    const [start, fork] = [program.length, [program.length + 1]];
    program.push({ does: 'fork', to: fork });
    if (!emit(of, program, most)) return false;
    program.push({ does: 'fork', to: [start] });
    fork.push(program.length);
    return true;
  }
  const forks: number[][] = [];
  for (let time = min; time < max; time++) {
    const fork = [program.length + 1];
    forks.push(fork);
    program.push({ does: 'fork', to: fork });
    if (!emit(of, program, most)) return false;
  }
  for (const fork of forks) fork.push(program.length);
  return true;
}

/**
 * Returns whether a compiled regular expression matches the whole text. Returns `null` if the step limit in `budget` is
 * exceeded.
 */
export function run(program: Program, text: string, budget: Budget): boolean | null {
  const codes = Array.from(text, codeOf);
  let states = reach(program, [0], codes, 0);
  for (const [at, code] of codes.entries()) {
    budget.steps -= states.size + 1;
    const after: number[] = [];
    for (const state of states) {
      const step = program[state];
      if (step?.does !== 'read') continue;
      budget.steps -= step.cost;
      if (budget.steps < 0) return null;
      if (step.has(code)) after.push(state + 1);
    }
    if (after.length === 0) return false;
    states = reach(program, after, codes, at + 1);
  }
  return states.has(program.length);
}

/**
 * Returns all steps of the state machine that can be reached from the given steps without reading another character.
 */
function reach(program: Program, from: readonly number[], codes: readonly number[], at: number): Set<number> {
  const states = new Set<number>();
  const open = [...from];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (states.has(state)) continue;
    states.add(state);
    const step = program[state];
    if (step?.does === 'fork') open.push(...step.to);
    else if (step?.does === 'assert' && holds(step.what, codes, at)) open.push(state + 1);
  }
  return states;
}

function holds(what: Assertion, codes: readonly number[], at: number): boolean {
  if (what === 'start') return at === 0;
  if (what === 'end') return at === codes.length;
  const isBoundary = isWord(codes[at - 1] ?? -1) !== isWord(codes[at] ?? -1);
  return isBoundary === (what === 'boundary');
}
