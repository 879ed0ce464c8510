import type { Path } from '../diagnostic.ts';
import type { DraftInput } from '../draft.ts';
import type { Scope } from '../meaning/scope.ts';
import { oneOf } from '../meaning/words.ts';
import { compilePattern } from '../pattern/pattern.ts';
import type { Budget } from '../pattern/program.ts';
import { excerpt } from '../shape/words.ts';

/**
 * Maximum length of a generated secret without a warning, in characters. Apps usually read longer secrets from a file
 * and not from a variable.
 */
const LONGEST_SECRET = 1024;
/**
 * Maximum number of steps for compiling and matching all regular expressions of a template. The limit protects the CPU
 * from malicious regular expressions.
 */
const PATTERN_STEPS = 500_000;
/**
 * Number of steps that the check of a regular expression needs for each character. The total number of steps is
 * limited.
 */
const STEPS_A_CHARACTER = 10;

/** Warns about inputs whose rules contradict each other or the default of the input. */
export function adviseInputs(scope: Scope): void {
  const budget = { steps: PATTERN_STEPS };
  for (const [index, input] of (scope.draft.inputs ?? []).entries()) {
    const path = ['inputs', index];
    adviseRange(scope, input, path);
    adviseOptions(scope, input, path);
    adviseText(scope, input, path, budget);
    if ((input.generate ?? 0) > LONGEST_SECRET) {
      const message = `A secret of ${input.generate} characters is too long for most apps.`;
      scope.warning('advice.generate', [...path, 'generate'], message, 'Set `generate: 32`.');
    }
  }
}

function adviseRange({ warning }: Scope, { min, max, default: usual }: DraftInput, path: Path): void {
  if (min !== undefined && max !== undefined && min > max) {
    warning(
      'advice.min-max',
      [...path, 'min'],
      `\`min\` (${min}) is greater than \`max\` (${max}), so no value is valid.`,
    );
  }
  if (typeof usual !== 'number') return;
  if ((min !== undefined && usual < min) || (max !== undefined && usual > max)) {
    const message = `The default ${usual} is outside the range of \`min\` and \`max\`.`;
    warning(
      'advice.default',
      [...path, 'default'],
      message,
      'Change the default or the range, because an installation without a value would fail.',
    );
  }
}

function adviseOptions({ warning }: Scope, { options, default: usual }: DraftInput, path: Path): void {
  if (options === undefined) return;
  const seen = new Set<string>();
  for (const [index, option] of options.entries()) {
    if (seen.has(option)) {
      warning('advice.duplicate-option', [...path, 'options', index], `The option ${excerpt(option)} is listed twice.`);
    }
    seen.add(option);
  }
  if (typeof usual === 'string' && usual !== '' && !seen.has(usual)) {
    const message = `The default ${excerpt(usual)} is not one of the options.`;
    warning('advice.default', [...path, 'default'], message, `Use ${oneOf(options)}.`);
  }
}

function adviseText({ warning }: Scope, { pattern, default: usual }: DraftInput, path: Path, budget: Budget): void {
  if (pattern === undefined) return;
  budget.steps -= pattern.length * STEPS_A_CHARACTER;
  /*
   * All regular expressions of a template share one limit of steps. If the limit is reached, the remaining regular
   * expressions are not checked.
   */
  if (budget.steps < 0) return;
  const compiled = compilePattern(pattern);
  if (!compiled.ok) {
    const hint = 'Use only the common syntax of regular expressions: groups, classes, `|` and `* + ? {n,m}`.';
    warning(
      'advice.pattern',
      [...path, 'pattern'],
      `The pattern is not a portable regular expression: ${compiled.reason}.`,
      hint,
    );
  } else if (typeof usual === 'string' && usual !== '' && compiled.pattern.matches(usual, budget) === false) {
    const message = `The default ${excerpt(usual)} does not match the pattern.`;
    warning(
      'advice.default',
      [...path, 'default'],
      message,
      'Change the default or the pattern, because an installation without a value would fail.',
    );
  }
}
