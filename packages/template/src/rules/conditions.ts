import type { DraftCondition } from '../draft.ts';

/**
 * Conditions that must all be true to install a part of a template. The conditions of its app and of referenced
 * resources are included.
 */
export type Conditions = readonly DraftCondition[];

/** Returns the given conditions as a list without `undefined`. */
export function conditionsOf(...conditions: (DraftCondition | undefined)[]): Conditions {
  return conditions.filter((condition) => condition !== undefined);
}

/** Returns whether two parts of a template are never created together. Such parts may use the same name or port. */
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
 * Returns whether a condition is true for the value of an input. A condition without `equals` and `not` is true for
 * every nonempty value.
 */
export function admits({ equals, not }: DraftCondition, answer: string): boolean {
  if (equals !== undefined) return answer === equals;
  return answer !== (not ?? '');
}
