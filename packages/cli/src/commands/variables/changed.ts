import type { Deployment, Variables } from '@davit/api';
import type { Printer } from '../../output/printer.ts';

/**
 * Prints the result of changing variables: the started deployments, or a note that the next deployment applies the
 * change.
 */
export function changedVariables(
  out: Printer,
  answer: Variables | Deployment | readonly Deployment[],
  { what, verb }: { what: string; verb: string },
): void {
  out.done(answer, `${what} ${verb}${consequence('vars' in answer ? null : [answer].flat())}`);
}

/**
 * Describes the effect of changed variables.
 * @param deployments started deployments, or `null` if the user did not request any
 */
function consequence(deployments: readonly Deployment[] | null): string {
  if (deployments === null) return '. The change takes effect with the next deployment.';
  if (deployments.length === 0) return '. The change affects no live app.';
  return `. Started deployments: ${deployments.map(({ id, app }) => `${id} of ${app}`).join(', ')}.`;
}
