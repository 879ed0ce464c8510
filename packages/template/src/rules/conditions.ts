import type { DraftCondition } from '../draft.ts';

/** All the conditions under which something is there: its own and those of what it stands in or needs. */
export type Conditions = readonly DraftCondition[];

/** The conditions among those given. */
export function conditionsOf(...conditions: (DraftCondition | undefined)[]): Conditions {
  return conditions.filter((condition) => condition !== undefined);
}

/** Whether two things are never there together, so that they may claim the same. */
export function areExclusive(one: Conditions, other: Conditions): boolean {
  return one.some((a) => other.some((b) => a.input === b.input && contradict(a, b)));
}

/** Whether two conditions are the same one. */
export function isSameCondition(a: DraftCondition, b: DraftCondition): boolean {
  return a.input === b.input && a.equals === b.equals && a.not === b.not;
}

function contradict(a: DraftCondition, b: DraftCondition): boolean {
  if (a.equals !== undefined) return !admits(b, a.equals);
  return b.equals !== undefined && !admits(a, b.equals);
}

/** Whether a condition holds for an answer: with neither `equals` nor `not`, when there is one. */
export function admits({ equals, not }: DraftCondition, answer: string): boolean {
  if (equals !== undefined) return answer === equals;
  return answer !== (not ?? '');
}
