import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT, startedDeployment } from '../../progress/started-deployment.ts';

export const command = defineCommand({
  path: ['app', 'start'],
  summary: 'Start a stopped app',
  description:
    'Deploys the release that was live when you stopped the app. Uses the current number of replicas and the current limits.',
  arguments: { app: APP },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit app start shop/production/web', does: 'Start an app and follow the deployment' }],
  async run(context) {
    const params = await appOf(context.args.app, context);
    const deployment = await (await context.client()).startApp({ params });
    await startedDeployment(context, deployment, context.options);
  },
});
