import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { backupScheduleFields } from '../../views/backup.ts';

export const command = defineCommand({
  path: ['backup', 'schedule'],
  summary: 'Show the backup schedule of a database',
  arguments: { database: DATABASE },
  examples: [
    {
      line: 'davit backup schedule shop/production/db',
      does: 'Show the times, destination and retention of the backups',
    },
  ],
  async run({ client, out, args }) {
    const schedule = await (await client()).getBackupSchedule({ params: databaseOf(args.database) });
    out.record(schedule, backupScheduleFields(schedule), schedule.cron);
  },
});
