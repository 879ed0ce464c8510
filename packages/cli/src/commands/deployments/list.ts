import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { deploymentList } from '../../views/deployment.ts';

export const command = defineCommand({
  path: ['deployment', 'list'],
  summary: 'List the deployments of an app, newest first',
  arguments: { app: APP },
  options: { limit: { short: 'n', value: 'n', description: 'how many; 50 unless given, 100 at most' } },
  examples: [{ line: 'davit deployment list shop/production/web -n 5', does: 'the last five' }],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const query = { ...(options.limit !== undefined && { limit: options.limit }) };
    out.list(await (await client()).listDeployments({ params, query }), deploymentList);
  },
});
