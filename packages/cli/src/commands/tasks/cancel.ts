import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['task', 'cancel'],
  summary: 'Cancel a task',
  description:
    'Davit undoes the finished steps of the task, newest first. A task cannot be canceled after a step that cannot be undone.',
  arguments: { task: { description: 'number of the task, as in `davit task list`' } },
  examples: [{ line: 'davit task cancel 7', does: 'Cancel task 7' }],
  async run({ client, out, args }) {
    const task = await (await client()).cancelTask({ params: { task: args.task } });
    out.done(task, `Task ${task.id}: ${task.status}.`, task.id);
  },
});
