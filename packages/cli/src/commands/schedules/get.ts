import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { scheduleFields } from '../../views/run.ts';

export const command = defineCommand({
  path: ['schedule', 'get'],
  summary: 'Show a schedule',
  arguments: { app: APP_FIRST, schedule: { description: 'ID of the schedule (see `davit schedule list`)' } },
  examples: [
    { line: 'davit schedule get shop/production/web 1', does: 'Show the next and the last run of schedule 1' },
  ],
  async run(context) {
    const params = { ...(await appOf(context.args.app, context)), schedule: context.args.schedule };
    const schedule = await (await context.client()).getSchedule({ params });
    context.out.record(schedule, scheduleFields(schedule), schedule.id);
  },
});
