import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { runList } from '../../views/run.ts';

export const command = defineCommand({
  path: ['runs', 'list'],
  summary: 'List the command runs of an app, newest first',
  arguments: { app: APP },
  options: { limit: { short: 'n', value: 'n', description: 'maximum number of results (default: 50, maximum: 100)' } },
  examples: [{ line: 'davit runs list shop/production/web', does: 'List all runs, including scheduled runs' }],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const query = { ...(options.limit !== undefined && { limit: options.limit }) };
    out.list(await (await client()).listRuns({ params, query }), runList);
  },
});
