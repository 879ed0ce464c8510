import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { startedDeployment } from '../../progress/started-deployment.ts';

export const command = defineCommand({
  path: ['deployment', 'follow'],
  summary: 'Follow a deployment until it finishes',
  description:
    'Shows all steps of the deployment, including the steps that are already finished. The exit code is 0 if the deployment succeeds and 8 if not. Ctrl-C does not stop the deployment.',
  arguments: { app: APP_FIRST, deployment: { description: 'ID of the deployment (see `davit deployment list`)' } },
  examples: [{ line: 'davit deployment follow shop/production/web 42', does: 'Follow the steps of deployment 42' }],
  async run(context) {
    const params = { ...(await appOf(context.args.app, context)), deployment: context.args.deployment };
    const deployment = await (await context.client()).getDeployment({ params });
    await startedDeployment(context, deployment, { noWait: false });
  },
});
