import type { Deployment, DeployPlan, Planned } from '@davit/api';
import type { Printer } from '../output/printer.ts';

export const DRY_RUN = { description: 'show the plan without making changes' } as const;
export const DRY_RUN_OF_CHANGE = { description: 'show the plan without making the change' } as const;

/** Returns the query parameter `dry_run`. With this parameter, the API returns a plan and starts no deployment. */
export function dryRunQuery({ dryRun }: { dryRun: boolean }): { dry_run?: 'true' } {
  return dryRun ? { dry_run: 'true' } : {};
}

/**
 * Returns the query parameters of a request that changes an app. With `deploy`, the API also starts a deployment. With
 * `dry_run`, the API returns a plan and changes nothing.
 */
export function changeQuery({ deploy, dryRun }: { deploy: boolean; dryRun: boolean }) {
  return { ...(deploy && { deploy: 'true' as const }), ...dryRunQuery({ dryRun }) };
}

export function isPlan(answer: Deployment | DeployPlan): answer is DeployPlan {
  return !('id' in answer);
}

export function showPlan(out: Printer, plan: DeployPlan): void {
  if (out.isJson) {
    out.json(plan);
    return;
  }
  planLines(out, plan);
}

/** Prints the deployment plan for a change. If the change affects several apps, prints one plan for each app. */
export function showPlanned(out: Printer, planned: Planned): void {
  if (!Array.isArray(planned)) showPlan(out, planned);
  else if (out.isJson) out.json(planned);
  else if (planned.length === 0) out.line('The change does not affect any live app.');
  else {
    for (const { app, plan } of planned) {
      out.line(app, 'bold');
      planLines(out, plan);
    }
  }
}

function planLines(out: Printer, { changes, steps }: DeployPlan): void {
  for (const change of changes) out.line(change);
  if (changes.length === 0) out.line('No differences from the live release.');
  for (const { describe } of steps) out.line(`  ${describe}`, 'dim');
}
