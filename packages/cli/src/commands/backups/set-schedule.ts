import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { destinationOf, TO } from './destination.ts';

export const command = defineCommand({
  path: ['backup', 'set-schedule'],
  summary: 'Set the backup schedule of a database',
  description: 'Replaces the schedule that it has. Admins only.',
  arguments: { database: DATABASE, cron: { description: 'minute hour day month weekday, or a name such as @daily' } },
  options: {
    timeZone: { value: 'zone', description: 'such as Europe/Berlin; UTC unless given' },
    keep: { short: 'k', value: 'n', description: 'how many good ones are kept; 7 unless given' },
    verifyEvery: { value: 'days', description: 'try the newest so often' },
    pointInTime: { description: 'of PostgreSQL: keep its log too, for any moment' },
    to: TO,
  },
  examples: [
    { line: "davit backup set-schedule shop/production/db '30 3 * * *' --keep 14", does: 'every night' },
    {
      line: 'davit backup set-schedule shop/production/db @daily --verify-every 7 --to s3/backups',
      does: 'into a bucket, and tried every week',
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
    out.done(schedule, `${args.database} is backed up next at ${schedule.next_at ?? 'no time at all'}.`);
  },
});
