import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedRun } from '../../progress/started-run.ts';

export const command = defineCommand({
  path: ['schedule', 'run'],
  summary: 'Run the command of a schedule now',
  description:
    'Starts a run of the schedule, even if the schedule is paused. The time of the next scheduled run does not change. The exit code is 0 only if the run succeeds. Ctrl-C does not stop the run.',
  arguments: { app: APP_FIRST, schedule: { description: 'ID of the schedule (see `davit schedule list`)' } },
  options: { noWait: NO_WAIT },
  examples: [
    { line: 'davit schedule run shop/production/web 1', does: 'Run the command of schedule 1 and show its output' },
  ],
  async run(context) {
    const { client, args, options } = context;
    const params = await appOf(args.app, context);
    const run = await (await client()).runSchedule({ params: { ...params, schedule: args.schedule } });
    await startedRun(context, run, { params, noWait: options.noWait });
  },
});
