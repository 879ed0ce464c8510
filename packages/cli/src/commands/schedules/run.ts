import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['schedule', 'run'],
  summary: 'Run the command of a schedule now',
  description: 'In the background, also when it is paused; its next time stays as it is.',
  arguments: { app: APP_FIRST, schedule: { description: 'its number' } },
  examples: [{ line: 'davit schedule run shop/production/web 1', does: 'once, now' }],
  async run(context) {
    const app = await appOf(context.args.app, context);
    const run = await (await context.client()).runSchedule({ params: { ...app, schedule: context.args.schedule } });
    context.out.done(run, `Run ${run.id} of ${run.app} goes on: «davit runs get ${run.app} ${run.id}».`, run.id);
  },
});
