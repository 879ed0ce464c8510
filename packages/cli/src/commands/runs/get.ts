import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { runFields } from '../../views/run.ts';

export const command = defineCommand({
  path: ['runs', 'get'],
  summary: 'Show a run of a command, with its output',
  arguments: { app: APP_FIRST, run: { description: 'ID of the run (see `davit runs list`)' } },
  examples: [{ line: 'davit runs get shop/production/web 9', does: 'Show the result and the output of run 9' }],
  async run(context) {
    const params = { ...(await appOf(context.args.app, context)), run: context.args.run };
    const run = await (await context.client()).getRun({ params });
    context.out.record(run, runFields(run), run.id);
  },
});
