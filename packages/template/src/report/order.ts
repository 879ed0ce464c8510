import type { Diagnostic, Severity } from '../diagnostic.ts';

/**
 * Sorts diagnostics by line and column. Diagnostics without a position come first. Diagnostics at the same position are
 * not reordered.
 */
export function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

export type Counts = Record<Severity, number>;

export function countBySeverity(diagnostics: readonly Diagnostic[]): Counts {
  const counts: Counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of diagnostics) counts[severity]++;
  return counts;
}
