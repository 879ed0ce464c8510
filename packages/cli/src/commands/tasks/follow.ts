import { defineCommand } from '../../declaration/command.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['task', 'follow'],
  summary: 'Follow a task until it finishes',
  description: 'Ctrl-C does not stop the task.',
  arguments: { task: { description: 'ID of the task (see `davit task list`)' } },
  examples: [{ line: 'davit task follow 7', does: 'Show the progress of task 7 until it finishes' }],
  async run(context) {
    const task = await (await context.client()).getTask({ params: { task: context.args.task } });
    await startedTask(context, task, { noWait: false, sentence: `Task ${task.id}, ${task.kind}, succeeded.` });
  },
});
