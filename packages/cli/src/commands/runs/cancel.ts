import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { statusWord } from '../../output/words.ts';

export const command = defineCommand({
  path: ['runs', 'cancel'],
  summary: 'Cancel a running command',
  arguments: { app: APP_FIRST, run: { description: 'ID of the run (see `davit runs list`)' } },
  examples: [{ line: 'davit runs cancel shop/production/web 9', does: 'Cancel run 9' }],
  async run(context) {
    const params = { ...(await appOf(context.args.app, context)), run: context.args.run };
    const run = await (await context.client()).cancelRun({ params });
    context.out.done(run, `Run ${run.id}: ${statusWord(run.status)}.`, run.id);
  },
});
