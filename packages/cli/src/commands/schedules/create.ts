import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['schedule', 'create'],
  summary: 'Create a schedule for a command of an app',
  description: 'From the release that is live then. Two runs of a schedule never overlap.',
  arguments: {
    app: APP_FIRST,
    cron: { description: 'minute hour day month weekday, or a name such as @daily' },
    command: { description: 'after --: the program and its arguments', variadic: true },
  },
  options: {
    name: { value: 'name', description: 'for people' },
    timeZone: { value: 'zone', description: 'such as Europe/Berlin; UTC unless given' },
    timeout: { value: 'seconds', description: 'after which a run is ended; 600 unless given' },
    disabled: { description: 'keep it, and do not run it by itself' },
  },
  examples: [
    { line: "davit schedule create . '30 3 * * *' -- bin/backup --all", does: 'every night' },
    { line: 'davit schedule create . @hourly --name tidy -- bin/tidy', does: 'every hour' },
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
    const next = schedule.next_run_at === null ? 'it is not enabled' : `it runs next at ${schedule.next_run_at}`;
    out.done(schedule, `Schedule ${schedule.id} is there: ${next}.`, schedule.id);
  },
});
