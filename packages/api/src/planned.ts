/** Separates the plans of `dry_run` from the other answers of operations. */
import type { AppPlan, DeployPlan } from './schemas/deployment.ts';

export type Planned = DeployPlan | AppPlan[];

function isPlanned(answer: unknown): answer is Planned {
  if (Array.isArray(answer)) return answer.some((one) => 'plan' in one);
  return typeof answer === 'object' && answer !== null && 'steps' in answer && 'changes' in answer;
}

/**
 * Returns the answer of an executed operation.
 * @throws Error if the answer is a plan
 */
export function doneOf<T>(answer: T): Exclude<T, Planned> {
  if (isPlanned(answer)) throw new Error('The instance returned a plan and changed nothing.');
  return answer as Exclude<T, Planned>;
}

/**
 * Returns the requested plan of one app or of several apps.
 * @throws Error if the operation was executed
 */
export function plannedOf(answer: unknown): Planned {
  if (isPlanned(answer) || (Array.isArray(answer) && answer.length === 0)) return answer as Planned;
  throw new Error('The instance did not return a plan.');
}
