import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['backup', 'remove-schedule'],
  summary: 'Remove the backup schedule of a database',
  description: 'Removes only the backup schedule. Existing backups are kept. Required role: admin.',
  arguments: { database: DATABASE },
  examples: [
    { line: 'davit backup remove-schedule shop/production/db', does: 'Remove the backup schedule of a database' },
  ],
  async run({ client, out, args }) {
    await (await client()).removeBackupSchedule({ params: databaseOf(args.database) });
    out.done(null, `Removed the backup schedule of ${args.database}.`);
  },
});
