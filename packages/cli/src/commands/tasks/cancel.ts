import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['task', 'cancel'],
  summary: 'Cancel a task',
  description: 'What it has done is undone first, the newest of it before the rest.',
  arguments: { task: { description: 'its number' } },
  examples: [{ line: 'davit task cancel 7', does: 'when it was a mistake' }],
  async run({ client, out, args }) {
    const task = await (await client()).cancelTask({ params: { task: args.task } });
    out.done(task, `Task ${task.id} is ${task.status}.`, task.id);
  },
});
