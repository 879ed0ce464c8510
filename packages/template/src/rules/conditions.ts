import type { DraftCondition } from '../draft.ts';

/** All conditions of a part: its own, and those of its parent and of the parts that it needs. */
export type Conditions = readonly DraftCondition[];

/** Returns the defined conditions. */
export function conditionsOf(...conditions: (DraftCondition | undefined)[]): Conditions {
  return conditions.filter((condition) => condition !== undefined);
}

/** Returns whether two parts can never be present together, so that both may use the same name or port. */
export function areExclusive(one: Conditions, other: Conditions): boolean {
  return one.some((a) => other.some((b) => a.input === b.input && contradict(a, b)));
}

/** Returns whether two conditions are equal. */
export function isSameCondition(a: DraftCondition, b: DraftCondition): boolean {
  return a.input === b.input && a.equals === b.equals && a.not === b.not;
}

function contradict(a: DraftCondition, b: DraftCondition): boolean {
  if (a.equals !== undefined) return !admits(b, a.equals);
  return b.equals !== undefined && !admits(a, b.equals);
}

/** Returns whether an answer meets a condition. Without `equals` and `not`, any answer that is not empty meets it. */
export function admits({ equals, not }: DraftCondition, answer: string): boolean {
  if (equals !== undefined) return answer === equals;
  return answer !== (not ?? '');
}
