import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { scheduleFields } from '../../views/run.ts';

export const command = defineCommand({
  path: ['schedule', 'set'],
  summary: 'Change a schedule, or pause it',
  description: 'The change does not affect a run that has already started.',
  arguments: { app: APP_FIRST, schedule: { description: 'ID of the schedule (see `davit schedule list`)' } },
  options: {
    cron: { value: 'cron', description: 'cron expression (minute hour day month weekday), or a name such as @daily' },
    timeZone: { value: 'zone', description: 'time zone, such as Europe/Berlin' },
    enabled: { value: 'yes|no', choices: ['yes', 'no'], description: 'yes to enable the schedule, no to pause it' },
  },
  examples: [{ line: 'davit schedule set shop/production/web 1 --enabled no', does: 'Pause schedule 1' }],
  async run(context) {
    const { client, out, args, options } = context;
    const body = {
      ...(options.cron !== undefined && { cron: options.cron }),
      ...(options.timeZone !== undefined && { time_zone: options.timeZone }),
      ...(options.enabled !== undefined && { enabled: options.enabled === 'yes' }),
    };
    if (Object.keys(body).length === 0)
      throw new CliError('usage', 'Nothing to change: specify --cron, --time-zone or --enabled.');
    const params = { ...(await appOf(args.app, context)), schedule: args.schedule };
    const schedule = await (await client()).patchSchedule({ params, body });
    out.record(schedule, scheduleFields(schedule), schedule.id);
  },
});
