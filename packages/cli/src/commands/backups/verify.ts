import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['backup', 'verify'],
  summary: 'Verify a backup by restoring it',
  description:
    'Restores the backup into a temporary database and compares the number of records with the number at the time of the backup. Then removes the temporary database.',
  arguments: { backup: { description: 'ID of the backup (see `davit backup list`)' } },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit backup verify 12', does: 'Verify backup 12' }],
  async run(context) {
    const { client, args, options } = context;
    const task = await (await client()).verifyBackup({ params: { backup: args.backup } });
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Verified backup ${args.backup}: it can be restored.`,
    });
  },
});
