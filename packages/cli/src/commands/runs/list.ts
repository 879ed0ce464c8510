import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { runList } from '../../views/run.ts';

export const command = defineCommand({
  path: ['runs', 'list'],
  summary: 'List the runs of commands, newest first',
  arguments: { app: APP },
  options: { limit: { short: 'n', value: 'n', description: 'how many; 50 unless given, 100 at most' } },
  examples: [{ line: 'davit runs list shop/production/web', does: 'those of schedules too' }],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const query = { ...(options.limit !== undefined && { limit: options.limit }) };
    out.list(await (await client()).listRuns({ params, query }), runList);
  },
});
