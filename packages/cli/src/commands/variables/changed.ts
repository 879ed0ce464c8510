import type { Deployment, Variables } from '@davit/api';
import type { Printer } from '../../output/printer.ts';

/** Says what became of a change of variables: it waits for a deploy, or deployments were asked for with it. */
export function changedVariables(
  out: Printer,
  answer: Variables | Deployment | readonly Deployment[],
  { what, verb }: { what: string; verb: string },
): void {
  out.done(answer, `${what} ${verb}${consequence('vars' in answer ? null : [answer].flat())}`);
}

/** @param deployments null: none were asked for */
function consequence(deployments: readonly Deployment[] | null): string {
  if (deployments === null) return ', from the next deploy on.';
  if (deployments.length === 0) return '. No live app gets anything else by it.';
  return `. Deployed by ${deployments.map(({ id, app }) => `${id} of ${app}`).join(', ')}.`;
}
