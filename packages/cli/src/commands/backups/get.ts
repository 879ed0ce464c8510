import { defineCommand } from '../../declaration/command.ts';
import { backupFields } from '../../views/backup.ts';

export const command = defineCommand({
  path: ['backup', 'get'],
  summary: 'Show a backup',
  arguments: { backup: { description: 'ID of the backup (see `davit backup list`)' } },
  examples: [{ line: 'davit backup get 12', does: 'Show where backup 12 is stored and when it was verified' }],
  async run({ client, out, args }) {
    const backup = await (await client()).getBackup({ params: { backup: args.backup } });
    out.record(backup, backupFields(backup), backup.id);
  },
});
