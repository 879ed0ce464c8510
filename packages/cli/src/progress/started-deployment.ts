import type { Deployment } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { followDeploy } from './follow-deploy.ts';

export const NO_WAIT = { description: 'do not follow it: it goes on by itself' } as const;

/**
 * What every command does that started a deployment: follow it, or say how to.
 * @throws CliError deploy_failed
 */
export async function startedDeployment(
  context: Context,
  deployment: Deployment,
  { noWait }: { noWait: boolean },
): Promise<void> {
  const { out } = context;
  const { id, app } = deployment;
  if (noWait) {
    out.done(deployment, `Deployment ${id} of ${app} goes on: «davit deployment follow ${app} ${id}».`, id);
    return;
  }
  const ended = await followDeploy(context, deployment);
  // To a person its end was told already.
  if (out.isJson || out.isQuiet) out.done(ended, '', ended.id);
}
