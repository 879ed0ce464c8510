import { defineCommand } from '../../declaration/command.ts';
import { backupFields } from '../../views/backup.ts';

export const command = defineCommand({
  path: ['backup', 'get'],
  summary: 'Show a backup',
  arguments: { backup: { description: 'its number' } },
  examples: [{ line: 'davit backup get 12', does: 'where it is, and whether it was tried' }],
  async run({ client, out, args }) {
    const backup = await (await client()).getBackup({ params: { backup: args.backup } });
    out.record(backup, backupFields(backup), backup.id);
  },
});
