import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { deploymentFields } from '../../views/deployment.ts';

export const command = defineCommand({
  path: ['deployment', 'get'],
  summary: 'Show a deployment with its steps, error and last log lines',
  arguments: { app: APP_FIRST, deployment: { description: 'ID of the deployment (see `davit deployment list`)' } },
  examples: [{ line: 'davit deployment get shop/production/web 42', does: 'Show the result of deployment 42' }],
  async run(context) {
    const params = { ...(await appOf(context.args.app, context)), deployment: context.args.deployment };
    const deployment = await (await context.client()).getDeployment({ params });
    context.out.record(deployment, deploymentFields(deployment), deployment.id);
  },
});
