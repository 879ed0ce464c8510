import type { Task } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { followTask } from './follow-task.ts';

/**
 * Waits until a background task ends, and prints `sentence`. If `--no-wait` is set, only prints the command that
 * follows the task.
 * @throws CliError with exit `task_failed`
 */
export async function startedTask(
  context: Context,
  task: Task,
  { noWait, sentence }: { noWait: boolean; sentence: string | ((ended: Task) => Promise<string>) },
): Promise<void> {
  const { out } = context;
  if (noWait) {
    out.done(task, `Task ${task.id} continues in the background. Follow it: davit task follow ${task.id}`, task.id);
    return;
  }
  const ended = await followTask(context, task);
  out.done(ended, typeof sentence === 'string' ? sentence : await sentence(ended), ended.id);
}
