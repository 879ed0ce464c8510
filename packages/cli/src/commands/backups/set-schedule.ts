import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { minute } from '../../output/words.ts';
import { destinationOf, TO } from './destination.ts';

export const command = defineCommand({
  path: ['backup', 'set-schedule'],
  summary: 'Set the backup schedule of a database',
  description: 'Replaces the existing backup schedule. Required role: admin.',
  arguments: {
    database: DATABASE,
    cron: { description: 'cron expression (minute hour day month weekday), or a name such as @daily' },
  },
  options: {
    timeZone: { value: 'zone', description: 'time zone, such as Europe/Berlin (default: UTC)' },
    keep: { short: 'k', value: 'n', description: 'number of successful backups to keep (default: 7)' },
    verifyEvery: {
      value: 'days',
      description: 'interval in days at which the newest backup is verified (default: never)',
    },
    pointInTime: { description: 'enable point-in-time recovery (PostgreSQL only)' },
    to: TO,
  },
  examples: [
    {
      line: "davit backup set-schedule shop/production/db '30 3 * * *' --keep 14",
      does: 'Back up every night and keep 14 backups',
    },
    {
      line: 'davit backup set-schedule shop/production/db @daily --verify-every 7 --to s3/backups',
      does: 'Back up to a bucket and verify every week',
    },
  ],
  async run({ client, out, args, options }) {
    const destination = destinationOf(options.to);
    const body = {
      cron: args.cron,
      point_in_time: options.pointInTime,
      ...(options.timeZone !== undefined && { time_zone: options.timeZone }),
      ...(options.keep !== undefined && { keep: wholeNumber(options.keep, 'number of backups') }),
      ...(options.verifyEvery !== undefined && {
        verify_every_days: wholeNumber(options.verifyEvery, 'number of days'),
      }),
      ...(destination !== undefined && { destination }),
    };
    const schedule = await (await client()).putBackupSchedule({ params: databaseOf(args.database), body });
    out.done(
      schedule,
      `Set the backup schedule of ${args.database}. Next backup: ${minute(schedule.next_at) ?? 'never'}`,
    );
  },
});
