import { defineCommand } from '../../declaration/command.ts';
import { taskFields } from '../../views/task.ts';

export const command = defineCommand({
  path: ['task', 'get'],
  summary: 'Show a task',
  arguments: { task: { description: 'ID of the task (see `davit task list`)' } },
  examples: [{ line: 'davit task get 7', does: 'Show the steps and the error of task 7' }],
  async run({ client, out, args }) {
    const task = await (await client()).getTask({ params: { task: args.task } });
    out.record(task, taskFields(task), task.id);
  },
});
