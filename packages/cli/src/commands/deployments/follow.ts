import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { startedDeployment } from '../../progress/started-deployment.ts';

export const command = defineCommand({
  path: ['deployment', 'follow'],
  summary: 'Follow a deployment to its end',
  description: 'From its beginning. Ends with 0 when it succeeded and with 8 when it did not. Ctrl-C leaves it alone.',
  arguments: { app: APP_FIRST, deployment: { description: 'its number' } },
  examples: [{ line: 'davit deployment follow shop/production/web 42', does: 'its steps as they happen' }],
  async run(context) {
    const params = { ...(await appOf(context.args.app, context)), deployment: context.args.deployment };
    const deployment = await (await context.client()).getDeployment({ params });
    await startedDeployment(context, deployment, { noWait: false });
  },
});
