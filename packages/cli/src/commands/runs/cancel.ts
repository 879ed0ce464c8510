import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['runs', 'cancel'],
  summary: 'Cancel a running command',
  arguments: { app: APP_FIRST, run: { description: 'its number' } },
  examples: [{ line: 'davit runs cancel shop/production/web 9', does: 'kills it' }],
  async run(context) {
    const params = { ...(await appOf(context.args.app, context)), run: context.args.run };
    const run = await (await context.client()).cancelRun({ params });
    context.out.done(run, `Run ${run.id} is ${run.status}.`, run.id);
  },
});
