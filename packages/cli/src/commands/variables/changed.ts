import type { Deployment, Variables } from '@davit/api';
import type { Context } from '../../declaration/context.ts';
import { changeOptions } from '../../progress/change-options.ts';
import { followDeploys } from '../../progress/follow-deploys.ts';

export const VARIABLE_CHANGE = changeOptions('deploy all live apps that the change affects');

interface Change {
  /** Names of the changed variables, and the project, environment or app to which they belong. */
  what: string;
  verb: string;
  noWait: boolean;
}

/**
 * Prints the result of changing environment variables. If the change started deployments, waits for the deployments,
 * unless `--no-wait` is set. Otherwise, prints that the change takes effect with the next deployment.
 * @throws CliError with exit `deploy_failed` if a deployment fails
 */
export async function changedVariables(
  context: Context,
  answer: Variables | Deployment | readonly Deployment[],
  { what, verb, noWait }: Change,
): Promise<void> {
  const { out } = context;
  if ('vars' in answer) return out.done(answer, `${what} ${verb}. The change takes effect with the next deployment.`);
  const started = [answer].flat();
  if (started.length === 0) return out.done(answer, `${what} ${verb}. The change does not affect any live app.`);
  if (noWait) {
    const deployments = started.map(({ id, app }) => `${id} of ${app}`).join(', ');
    return out.done(answer, `${what} ${verb}. These deployments continue in the background: ${deployments}.`);
  }
  const ended = await followDeploys(context, started);
  out.done(Array.isArray(answer) ? ended : ended[0], `${what} ${verb}.`);
}
