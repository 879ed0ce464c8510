/**
 * Functions for API operations with the query parameter `dry_run`. With `dry_run=true`, an operation returns a plan and
 * changes nothing.
 */
import type { AppPlan, DeployPlan } from './schemas/deployment.ts';

export type Planned = DeployPlan | AppPlan[];

function isPlanned(answer: unknown): answer is Planned {
  if (Array.isArray(answer)) return answer.some((one) => 'plan' in one);
  return typeof answer === 'object' && answer !== null && 'steps' in answer && 'changes' in answer;
}

/**
 * Returns the response of an API operation without `dry_run`.
 * @throws Error if the response is a deployment plan
 */
export function doneOf<T>(answer: T): Exclude<T, Planned> {
  if (isPlanned(answer)) throw new Error('The instance returned a plan and changed nothing.');
  return answer as Exclude<T, Planned>;
}

/**
 * Returns the deployment plan, or a list of plans, from the response of an API operation with `dry_run=true`.
 * @throws Error if the response is not a plan
 */
export function plannedOf(answer: unknown): Planned {
  if (isPlanned(answer) || (Array.isArray(answer) && answer.length === 0)) return answer as Planned;
  throw new Error('The instance did not return a plan.');
}
