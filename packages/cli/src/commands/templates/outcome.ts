import type { InstallPlan, Task, UpdatePreview } from '@davit/api';
import type { Context } from '../../declaration/context.ts';
import { CliError } from '../../errors/exit.ts';
import { installedAddresses } from '../../progress/installed-addresses.ts';
import { startedTask } from '../../progress/started-task.ts';
import { planFields } from '../../views/template.ts';

/** Between a dry run and what follows it, a release can become another one. */
export const SHA256 = {
  value: 'sum',
  description: 'do it only if the manifest is still the one that --dry-run showed, by its sha256',
} as const;

/**
 * What every command does that installs something or changes what is installed: shows the plan that it asked for, or
 * follows the task and says where the apps answer.
 * @param sentence what is so when it has succeeded
 * @throws CliError conflict for a plan that cannot begin; task_failed
 */
export async function plannedOrDone(
  context: Context,
  answer: InstallPlan | UpdatePreview | Task,
  { noWait, sentence }: { noWait: boolean; sentence: string },
): Promise<void> {
  const { out } = context;
  if ('subject' in answer) {
    const told = async (ended: Task) => `${sentence}${await installedAddresses(context, ended)}`;
    return startedTask(context, answer, { noWait, sentence: told });
  }
  out.record(answer, planFields(answer), '');
  if (answer.problems.length > 0 || !answer.fits) throw new CliError('conflict', 'It cannot be done like that.');
}
