import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT, startedDeployment } from '../../progress/started-deployment.ts';

export const command = defineCommand({
  path: ['app', 'start'],
  summary: 'Start a stopped app',
  description: 'The release that was live when it was stopped, with the scale and the limits that it has now.',
  arguments: { app: APP },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit app start shop/production/web', does: 'and follow it to its end' }],
  async run(context) {
    const params = await appOf(context.args.app, context);
    const deployment = await (await context.client()).startApp({ params });
    await startedDeployment(context, deployment, context.options);
  },
});
