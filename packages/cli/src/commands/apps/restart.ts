import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT, startedDeployment } from '../../progress/started-deployment.ts';

export const command = defineCommand({
  path: ['app', 'restart'],
  summary: 'Restart an app',
  description:
    'Starts new replicas of the live release, then stops the old replicas. No requests are lost. Changed settings that are not deployed yet do not take effect.',
  arguments: { app: APP },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit app restart shop/production/web', does: 'Restart an app and follow the deployment' }],
  async run(context) {
    const params = await appOf(context.args.app, context);
    const deployment = await (await context.client()).restartApp({ params });
    await startedDeployment(context, deployment, context.options);
  },
});
