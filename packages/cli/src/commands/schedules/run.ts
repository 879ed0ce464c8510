import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['schedule', 'run'],
  summary: 'Run the command of a schedule now',
  description:
    'Runs the command in the background, even if the schedule is paused. The time of the next run does not change.',
  arguments: { app: APP_FIRST, schedule: { description: 'number of the schedule (see `davit schedule list`)' } },
  examples: [{ line: 'davit schedule run shop/production/web 1', does: 'Run the command of schedule 1 now' }],
  async run(context) {
    const app = await appOf(context.args.app, context);
    const run = await (await context.client()).runSchedule({ params: { ...app, schedule: context.args.schedule } });
    context.out.done(
      run,
      `Run ${run.id} of ${run.app} continues in the background. Show it: davit runs get ${run.app} ${run.id}`,
      run.id,
    );
  },
});
