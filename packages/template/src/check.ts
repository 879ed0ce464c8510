import { giveAdvice } from './advice/advice.ts';
import type { Diagnostic, Problem } from './diagnostic.ts';
import type { SourceDocument } from './document.ts';
import type { Manifest } from './manifest.ts';
import { checkMeaning } from './meaning/meaning.ts';
import { scopeOf } from './meaning/scope.ts';
import { normalize } from './normalize.ts';
import { readTemplate } from './read.ts';

/** The validator's own number: it grows with each change that can change what a file gets, and the catalog reads again. */
export const VALIDATOR_VERSION = 1;

export interface Checked {
  /** Null exactly when one of the diagnostics is an error. */
  manifest: Manifest | null;
  diagnostics: Diagnostic[];
}

/**
 * Checks a template and normalizes it: parse, shape, meaning, advice. Never throws, and ends within bounded time and
 * memory, whatever the text.
 */
export function checkTemplate(text: string): Checked {
  const { document, draft, problems: found } = readTemplate(text);
  const problems: (Problem | Diagnostic)[] = [...found];
  if (draft !== null) {
    const scope = scopeOf(draft);
    checkMeaning(scope);
    giveAdvice(scope);
    problems.push(...scope.said());
  }
  const isRefused = draft === null || problems.some(({ severity }) => severity === 'error');
  return {
    manifest: isRefused ? null : normalize(draft),
    diagnostics: problems.map((problem) => withPlace(problem, document)),
  };
}

/** Where a problem stands: as the one who found it knows, or by its path. */
function withPlace(problem: Problem | Diagnostic, document: SourceDocument | null): Diagnostic {
  if ('line' in problem || document === null) return problem;
  const { line, column } = document.locate(problem.path);
  return { ...problem, line, ...(column !== undefined && { column }) };
}
