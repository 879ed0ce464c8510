import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { scheduleList } from '../../views/run.ts';

export const command = defineCommand({
  path: ['schedule', 'list'],
  summary: 'List the schedules of an app',
  arguments: { app: APP },
  examples: [{ line: 'davit schedule list shop/production/web', does: 'List the schedules of an app' }],
  async run(context) {
    const params = await appOf(context.args.app, context);
    context.out.list(await (await context.client()).listSchedules({ params }), scheduleList);
  },
});
