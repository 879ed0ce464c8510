import { defineCommand } from '../../declaration/command.ts';
import { statusWord } from '../../output/words.ts';

export const command = defineCommand({
  path: ['task', 'cancel'],
  summary: 'Cancel a task',
  description:
    'Davit stops the task and undoes its finished steps, newest first. Some steps cannot be undone: after such a step, you cannot cancel the task.',
  arguments: { task: { description: 'ID of the task (see `davit task list`)' } },
  examples: [{ line: 'davit task cancel 7', does: 'Cancel task 7' }],
  async run({ client, out, args }) {
    const task = await (await client()).cancelTask({ params: { task: args.task } });
    out.done(task, `Task ${task.id}: ${statusWord(task.status)}.`, task.id);
  },
});
