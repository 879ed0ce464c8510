import { configFromProcess } from '../config/env.ts';
import { ActionFailed, type ActionStreams, splitFlags } from './action.ts';
import { planUninstall, removeInstanceOf } from './uninstall.ts';
import { planLines, planSummary, resultLines } from './uninstall-text.ts';

/**
 * Removes the instance of a data directory. Flags: `--dry-run` only lists the objects. `--delete-data` also removes
 * volumes and the data directory. `--confirm <instance id>` is required for a removal.
 */
export async function uninstallAction(args: string[], { emit }: ActionStreams): Promise<number> {
  const { own, settings } = splitFlags(args, { 'dry-run': 'boolean', 'delete-data': 'boolean', confirm: 'string' });
  const options = { deleteData: own['delete-data'] === true };
  const config = configFromProcess(settings);
  const plan = await planUninstall(config, options);
  const isDryRun = own['dry-run'] === true;
  const summary = planSummary(plan);
  emit({ kind: 'plan', lines: isDryRun ? planLines(plan) : summary, data: { ...plan, summary } });
  if (isDryRun) return 0;
  if (own.confirm !== plan.instance) {
    const what = own.confirm === undefined ? 'To confirm the removal' : 'The ID is wrong. To confirm the removal';
    throw new ActionFailed('usage', `${what}, add --confirm ${plan.instance}. Nothing was changed.`);
  }
  const result = await removeInstanceOf(config, options, (kind, name) =>
    emit({ kind: 'removed', lines: [`removed ${kind} ${name}`], data: { kind, name } }),
  );
  emit({ kind: 'result', lines: resultLines(plan, result), data: result });
  return result.kept.length + result.keptPaths.length === 0 ? 0 : 1;
}
