import { defineCommand } from '../../declaration/command.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['task', 'follow'],
  summary: 'Follow a task to its end',
  description: 'Ctrl-C leaves it, and it goes on.',
  arguments: { task: { description: 'its number' } },
  examples: [{ line: 'davit task follow 7', does: 'its steps as they happen' }],
  async run(context) {
    const task = await (await context.client()).getTask({ params: { task: context.args.task } });
    await startedTask(context, task, { noWait: false, sentence: `Task ${task.id}, ${task.kind}, succeeded.` });
  },
});
