import type { Deployment } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { followDeploy } from './follow-deploy.ts';

export const NO_WAIT = { description: 'return immediately; the work continues in the background' } as const;

/**
 * Waits until a deployment ends. If `--no-wait` is set, only prints the command that follows the deployment.
 * @throws CliError with exit `deploy_failed` if the deployment fails
 */
export async function startedDeployment(
  context: Context,
  deployment: Deployment,
  { noWait }: { noWait: boolean },
): Promise<void> {
  const { out } = context;
  const { id, app } = deployment;
  if (noWait) {
    out.done(
      deployment,
      `Deployment ${id} of ${app} continues in the background. Follow it: davit deployment follow ${app} ${id}`,
      id,
    );
    return;
  }
  const ended = await followDeploy(context, deployment);
  /*
   * The progress on stderr has already shown the result. Therefore, the result is printed to stdout only if `--json` or
   * `--quiet` is set.
   */
  if (out.isJson || out.isQuiet) out.done(ended, '', ended.id);
}
