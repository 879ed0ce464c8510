import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { minute } from '../../output/words.ts';

export const command = defineCommand({
  path: ['schedule', 'create'],
  summary: 'Create a schedule for a command of an app',
  description: 'Each run uses the release that is live at the time of the run. Two runs of a schedule never overlap.',
  arguments: {
    app: APP_FIRST,
    cron: { description: 'cron expression (minute hour day month weekday), or a name such as @daily' },
    command: { description: 'program and its arguments, after `--`', variadic: true },
  },
  options: {
    name: { value: 'name', description: 'name of the schedule' },
    timeZone: { value: 'zone', description: 'time zone, such as Europe/Berlin (default: UTC)' },
    timeout: { value: 'seconds', description: 'maximum duration of a run in seconds (default: 600)' },
    disabled: { description: 'create a paused schedule' },
  },
  examples: [
    { line: "davit schedule create . '30 3 * * *' -- bin/backup --all", does: 'Run a command every night' },
    { line: 'davit schedule create . @hourly --name tidy -- bin/tidy', does: 'Run a command every hour' },
  ],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const body = {
      cron: args.cron,
      command: args.command,
      ...(options.name !== undefined && { name: options.name }),
      ...(options.timeZone !== undefined && { time_zone: options.timeZone }),
      ...(options.timeout !== undefined && { timeout_s: wholeNumber(options.timeout, 'number of seconds') }),
      ...(options.disabled && { enabled: false }),
    };
    const schedule = await (await client()).createSchedule({ params, body });
    const next =
      schedule.next_run_at === null ? 'The schedule is paused.' : `Next run: ${minute(schedule.next_run_at)}`;
    out.done(schedule, `Created schedule ${schedule.id}. ${next}`, schedule.id);
  },
});
