import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { runList } from '../../views/run.ts';

export const command = defineCommand({
  path: ['schedule', 'runs'],
  summary: 'List the last runs of a schedule, newest first',
  arguments: { app: APP_FIRST, schedule: { description: 'ID of the schedule (see `davit schedule list`)' } },
  examples: [
    { line: 'davit schedule runs shop/production/web 1', does: 'List the runs of schedule 1, including skipped runs' },
  ],
  async run(context) {
    const params = { ...(await appOf(context.args.app, context)), schedule: context.args.schedule };
    context.out.list(await (await context.client()).listScheduleRuns({ params }), runList);
  },
});
