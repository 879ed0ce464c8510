import type { Deployment, Variables } from '@davit/api';
import type { Printer } from '../../output/printer.ts';

/**
 * Prints the result of changing environment variables: the deployments that were started, or a note that the change
 * takes effect with the next deployment.
 */
export function changedVariables(
  out: Printer,
  answer: Variables | Deployment | readonly Deployment[],
  { what, verb }: { what: string; verb: string },
): void {
  out.done(answer, `${what} ${verb}${consequence('vars' in answer ? null : [answer].flat())}`);
}

/**
 * Describes the effect of changed environment variables.
 * @param deployments deployments that the change started, or `null` if the user requested no deployment
 */
function consequence(deployments: readonly Deployment[] | null): string {
  if (deployments === null) return '. The change takes effect with the next deployment.';
  if (deployments.length === 0) return '. The change does not affect any live app.';
  return `. Started deployments: ${deployments.map(({ id, app }) => `${id} of ${app}`).join(', ')}.`;
}
