import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['backup', 'verify'],
  summary: 'Verify a backup by restoring it',
  description: 'Into a database that is made for it, counted, and removed.',
  arguments: { backup: { description: 'its number' } },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit backup verify 12', does: 'a backup that nobody has restored is none' }],
  async run(context) {
    const { client, args, options } = context;
    const task = await (await client()).verifyBackup({ params: { backup: args.backup } });
    await startedTask(context, task, { noWait: options.noWait, sentence: `Backup ${args.backup} can be restored.` });
  },
});
