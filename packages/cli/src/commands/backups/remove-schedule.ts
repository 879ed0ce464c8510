import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['backup', 'remove-schedule'],
  summary: 'Remove the backup schedule of a database',
  description: 'The backups that there are stay. Admins only.',
  arguments: { database: DATABASE },
  examples: [{ line: 'davit backup remove-schedule shop/production/db', does: 'its backups stay' }],
  async run({ client, out, args }) {
    await (await client()).removeBackupSchedule({ params: databaseOf(args.database) });
    out.done(null, `${args.database} is backed up only when somebody does it.`);
  },
});
