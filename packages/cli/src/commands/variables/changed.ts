import type { Deployment, Variables } from '@davit/api';
import type { Printer } from '../../output/printer.ts';

/** Prints the result of a change of variables: the next deployment applies it, or deployments were started with it. */
export function changedVariables(
  out: Printer,
  answer: Variables | Deployment | readonly Deployment[],
  { what, verb }: { what: string; verb: string },
): void {
  out.done(answer, `${what} ${verb}${consequence('vars' in answer ? null : [answer].flat())}`);
}

/**
 * Returns the consequence of the change.
 * @param deployments started deployments, or `null` if none were requested
 */
function consequence(deployments: readonly Deployment[] | null): string {
  if (deployments === null) return '. The change takes effect with the next deployment.';
  if (deployments.length === 0) return '. The change affects no live app.';
  return `. Started deployments: ${deployments.map(({ id, app }) => `${id} of ${app}`).join(', ')}.`;
}
