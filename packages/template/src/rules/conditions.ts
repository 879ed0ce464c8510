import type { DraftCondition } from '../draft.ts';

/**
 * List of conditions. A part of a template, such as a variable of an app, is installed only if all conditions are true.
 * For a variable, the list includes the conditions of the app and of the resources that the variable refers to.
 */
export type Conditions = readonly DraftCondition[];

/** Returns a list of the given conditions without `undefined`. */
export function conditionsOf(...conditions: (DraftCondition | undefined)[]): Conditions {
  return conditions.filter((condition) => condition !== undefined);
}

/**
 * Returns whether the conditions of two parts of a template contradict each other. Such parts are never created
 * together, so they may use the same name or port.
 */
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
 * Returns whether a condition of a template is true for the value of an input. If the condition has no `equals` and no
 * `not`, it is true for every value that is not empty.
 */
export function admits({ equals, not }: DraftCondition, answer: string): boolean {
  if (equals !== undefined) return answer === equals;
  return answer !== (not ?? '');
}
