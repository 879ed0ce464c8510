import type { Deployment, DeployPlan } from '@davit/api';
import type { Printer } from './output/printer.ts';

export const DRY_RUN = { description: 'show the plan, and do nothing' } as const;

/** What asks for the plan instead of the deployment. */
export function dryRunQuery({ dryRun }: { dryRun: boolean }): { dry_run?: 'true' } {
  return dryRun ? { dry_run: 'true' } : {};
}

export function isPlan(answer: Deployment | DeployPlan): answer is DeployPlan {
  return !('id' in answer);
}

export function showPlan(out: Printer, plan: DeployPlan): void {
  if (out.isJson) {
    out.json(plan);
    return;
  }
  for (const change of plan.changes) out.line(change);
  if (plan.changes.length === 0) out.line('Nothing will be different from what is live.');
  for (const { describe } of plan.steps) out.line(`  ${describe}`, 'dim');
}
