import type { InstallPlan, Task, UpdatePreview } from '@davit/api';
import type { Context } from '../../declaration/context.ts';
import { CliError } from '../../errors/exit.ts';
import { installedAddresses } from '../../progress/installed-addresses.ts';
import { startedTask } from '../../progress/started-task.ts';
import { planFields } from '../../views/template.ts';

/**
 * Option with the expected SHA-256 of a template manifest. The option detects a change of the template release between
 * a dry run and the installation.
 */
export const SHA256 = {
  value: 'sum',
  description:
    'expected SHA-256 of the manifest, as shown by `--dry-run`; the command fails if the manifest has changed',
} as const;

/**
 * Prints the result of installing or updating a template. For a dry run, prints the plan. Otherwise, waits until the
 * background task ends and prints the addresses of the apps.
 * @param sentence message after a successful task
 * @throws CliError with exit `conflict` if the plan cannot be executed
 * @throws CliError with exit `task_failed` if the background task fails
 */
export async function plannedOrDone(
  context: Context,
  answer: InstallPlan | UpdatePreview | Task,
  { noWait, sentence }: { noWait: boolean; sentence: string },
): Promise<void> {
  const { out } = context;
  if ('subject' in answer) {
    const fullSentence = async (ended: Task) => `${sentence}${await installedAddresses(context, ended)}`;
    return startedTask(context, answer, { noWait, sentence: fullSentence });
  }
  out.record(answer, planFields(answer), '');
  if (answer.problems.length > 0 || !answer.fits)
    throw new CliError('conflict', 'Cannot apply the plan. The problems are listed above.');
}
