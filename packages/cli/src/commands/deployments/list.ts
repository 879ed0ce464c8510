import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { deploymentList } from '../../views/deployment.ts';

export const command = defineCommand({
  path: ['deployment', 'list'],
  summary: 'List the deployments of an app, newest first',
  arguments: { app: APP },
  options: { limit: { short: 'n', value: 'n', description: 'maximum number of results (default: 50, maximum: 100)' } },
  examples: [{ line: 'davit deployment list shop/production/web -n 5', does: 'List the last five deployments' }],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const query = { ...(options.limit !== undefined && { limit: options.limit }) };
    out.list(await (await client()).listDeployments({ params, query }), deploymentList);
  },
});
