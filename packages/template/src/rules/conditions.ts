import type { DraftCondition } from '../draft.ts';

/**
 * Conditions that must all be met so that a part of a template exists: those of the part, of its app, and of resources
 * that it needs.
 */
export type Conditions = readonly DraftCondition[];

/** Returns the conditions that are not `undefined`. */
export function conditionsOf(...conditions: (DraftCondition | undefined)[]): Conditions {
  return conditions.filter((condition) => condition !== undefined);
}

/** Returns whether two parts of a template can never exist together. They may then use the same name or port. */
export function areExclusive(one: Conditions, other: Conditions): boolean {
  return one.some((a) => other.some((b) => a.input === b.input && contradict(a, b)));
}

export function isSameCondition(a: DraftCondition, b: DraftCondition): boolean {
  return a.input === b.input && a.equals === b.equals && a.not === b.not;
}

function contradict(a: DraftCondition, b: DraftCondition): boolean {
  if (a.equals !== undefined) return !admits(b, a.equals);
  return b.equals !== undefined && !admits(a, b.equals);
}

/**
 * Returns whether the value of an input meets a condition. Without `equals` and `not`, every value that is not empty
 * meets it.
 */
export function admits({ equals, not }: DraftCondition, answer: string): boolean {
  if (equals !== undefined) return answer === equals;
  return answer !== (not ?? '');
}
