/** What operations answer that are asked for a plan with `dry_run`, apart from what they answer otherwise. */
import type { AppPlan, DeployPlan } from './schemas/deployment.ts';

export type Planned = DeployPlan | AppPlan[];

function isPlanned(answer: unknown): answer is Planned {
  if (Array.isArray(answer)) return answer.some((one) => 'plan' in one);
  return typeof answer === 'object' && answer !== null && 'steps' in answer && 'changes' in answer;
}

/** The answer to what was asked to be done. @throws Error for a plan: nothing was done */
export function doneOf<T>(answer: T): Exclude<T, Planned> {
  if (isPlanned(answer)) throw new Error('The instance answered a plan, and did nothing.');
  return answer as Exclude<T, Planned>;
}

/** The plan that was asked for: of one app, or of those that a change concerns. @throws Error when something was done */
export function plannedOf(answer: unknown): Planned {
  if (isPlanned(answer) || (Array.isArray(answer) && answer.length === 0)) return answer as Planned;
  throw new Error('The instance did not answer a plan.');
}
