import { giveAdvice } from './advice/advice.ts';
import type { Diagnostic, Problem } from './diagnostic.ts';
import type { SourceDocument } from './document.ts';
import type { Manifest } from './manifest.ts';
import { checkMeaning } from './meaning/meaning.ts';
import { scopeOf } from './meaning/scope.ts';
import { normalize } from './normalize.ts';
import { readTemplate } from './read.ts';
import { checkRequests } from './requests/check.ts';

/**
 * Version of the template check. Increase the version with each change that can change results. The catalog then checks
 * its recorded releases again.
 */
export const VALIDATOR_VERSION = 2;

export interface Checked {
  /** Normalized template. `null` if one of the diagnostics is an error. */
  manifest: Manifest | null;
  diagnostics: Diagnostic[];
}

/**
 * Parses, checks and normalizes a template file. Never throws. The time and memory for this are limited, even for
 * malicious files.
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
  const manifest = isRefused ? null : normalize(draft);
  const refused = manifest === null ? [] : checkRequests(manifest);
  return {
    manifest: refused.length === 0 ? manifest : null,
    diagnostics: [...problems, ...refused].map((problem) => withPosition(problem, document)),
  };
}

/**
 * Adds the line and column to a problem of a template. If the problem has no line, it gets the position of its path in
 * the file.
 */
function withPosition(problem: Problem | Diagnostic, document: SourceDocument | null): Diagnostic {
  if ('line' in problem || document === null) return problem;
  const { line, column } = document.locate(problem.path);
  return { ...problem, line, ...(column !== undefined && { column }) };
}
