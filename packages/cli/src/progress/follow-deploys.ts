import type { Deployment } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { deploymentParams, followDeploy } from './follow-deploy.ts';

/** Deployment that has ended. `error` is the reason for a failure, or `null` if the deployment succeeded. */
interface Ended {
  deployment: Deployment;
  error: string | null;
}

/**
 * Waits until a deployment ends. Does not throw if the deployment fails, so that the caller can wait for further
 * deployments.
 * @throws CliError with exit `interrupted` after Ctrl-C
 */
export async function endOf(ctx: Context, deployment: Deployment): Promise<Ended> {
  try {
    return { deployment: await followDeploy(ctx, deployment), error: null };
  } catch (error) {
    if (!(error instanceof CliError) || error.exit !== 'deploy_failed') throw error;
    const ended = await (await ctx.client()).getDeployment({ params: deploymentParams(deployment) });
    return { deployment: ended, error: error.message };
  }
}

/**
 * Waits until all deployments end, and returns the deployments.
 * @throws CliError with exit `deploy_failed` if a deployment fails
 */
export async function followDeploys(ctx: Context, deployments: readonly Deployment[]): Promise<Deployment[]> {
  const [only, ...others] = deployments;
  if (only !== undefined && others.length === 0) return [await followDeploy(ctx, only)];
  const ended: Ended[] = [];
  for (const deployment of deployments) ended.push(await endOf(ctx, deployment));
  const errors = ended.flatMap(({ error }) => error ?? []);
  if (!ctx.out.isJson) for (const error of errors) ctx.out.note(error, 'red');
  const failed = ended.filter(({ error }) => error !== null).map(({ deployment }) => deployment.app);
  if (failed.length > 0) throw new CliError('deploy_failed', `These apps were not deployed: ${failed.join(', ')}.`);
  return ended.map(({ deployment }) => deployment);
}
