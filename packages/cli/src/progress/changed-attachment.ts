import { type Deployment, type DeployPlan, doneOf, plannedOf } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { showPlanned } from '../views/deploy-plan.ts';
import { changeOptions } from './change-options.ts';
import { startedDeployment } from './started-deployment.ts';

export const ATTACHMENT_CHANGE = changeOptions('deploy the app now, so that the change takes effect');

/**
 * Prints the result of attaching or detaching a database or bucket. The result is a plan, a deployment, or a note about
 * the next deployment.
 */
export async function changedAttachment(
  context: Context,
  answer: Deployment | DeployPlan | { name: string },
  { dryRun, noWait, sentence }: { dryRun: boolean; noWait: boolean; sentence: string },
): Promise<void> {
  const { out } = context;
  if (dryRun) return showPlanned(out, plannedOf(answer));
  const done = doneOf(answer);
  if ('trigger' in done) return startedDeployment(context, done, { noWait });
  out.done(done, `${sentence} from the next deployment on.`);
}
