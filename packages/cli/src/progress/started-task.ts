import type { Task } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { followTask } from './follow-task.ts';

/**
 * What every command does that began a task: follow it, or say how to.
 * @param sentence what is so when it has succeeded; as a function where that has to be asked for
 * @throws CliError task_failed
 */
export async function startedTask(
  context: Context,
  task: Task,
  { noWait, sentence }: { noWait: boolean; sentence: string | ((ended: Task) => Promise<string>) },
): Promise<void> {
  const { out } = context;
  if (noWait) {
    out.done(task, `Task ${task.id} goes on: «davit task follow ${task.id}».`, task.id);
    return;
  }
  const ended = await followTask(context, task);
  out.done(ended, typeof sentence === 'string' ? sentence : await sentence(ended), ended.id);
}
