import { defineCommand } from '../../declaration/command.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['task', 'follow'],
  summary: 'Follow a task until it finishes',
  description: 'Ctrl-C does not stop the task.',
  arguments: { task: { description: 'number of the task, as in `davit task list`' } },
  examples: [{ line: 'davit task follow 7', does: 'Follow the steps of task 7' }],
  async run(context) {
    const task = await (await context.client()).getTask({ params: { task: context.args.task } });
    await startedTask(context, task, { noWait: false, sentence: `Task ${task.id}, ${task.kind}, succeeded.` });
  },
});
