import type { Task } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { followTask } from './follow-task.ts';

/**
 * Prints the result of a command that started a background task. The CLI waits until the task ends. With `--no-wait`,
 * the CLI prints how to follow the task.
 * @param sentence message after success, or a function that returns the message
 * @throws CliError with exit `task_failed` if the task fails
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
