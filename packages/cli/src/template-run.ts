import type { InstallPlan, Task } from '@davit/api';
import type { Context } from './context.ts';
import { CliError } from './exit.ts';
import { startedTask } from './started-task.ts';
import { planFields } from './views/template.ts';

/** Between a dry run and what follows it, a release can become another one. */
export const SHA256 = {
  value: 'sum',
  description: 'do it only if the manifest is still the one that --dry-run showed, by its sha256',
} as const;

/**
 * What every command does that installs something: shows the plan that it asked for, or follows the task.
 * @throws CliError conflict for a plan that cannot begin; task_failed
 */
export async function plannedOrInstalled(
  context: Context,
  answer: InstallPlan | Task,
  { noWait }: { noWait: boolean },
): Promise<void> {
  const { out } = context;
  if (!('resources' in answer)) {
    const sentence = 'It is installed: «davit template installed» shows what it made.';
    return startedTask(context, answer, { noWait, sentence });
  }
  out.record(answer, planFields(answer), '');
  if (answer.problems.length > 0 || !answer.fits) throw new CliError('conflict', 'It cannot be installed like that.');
}
