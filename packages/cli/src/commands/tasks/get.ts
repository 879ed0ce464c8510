import { defineCommand } from '../../declaration/command.ts';
import { taskFields } from '../../views/task.ts';

export const command = defineCommand({
  path: ['task', 'get'],
  summary: 'Show a task',
  arguments: { task: { description: 'its number' } },
  examples: [{ line: 'davit task get 7', does: 'its steps, and why it failed' }],
  async run({ client, out, args }) {
    const task = await (await client()).getTask({ params: { task: args.task } });
    out.record(task, taskFields(task), task.id);
  },
});
