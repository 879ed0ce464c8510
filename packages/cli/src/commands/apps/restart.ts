import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT, startedDeployment } from '../../progress/started-deployment.ts';

export const command = defineCommand({
  path: ['app', 'restart'],
  summary: 'Restart an app',
  description:
    'Fresh instances of exactly what is live; no request is lost. Settings that wait for a deploy go on waiting.',
  arguments: { app: APP },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit app restart shop/production/web', does: 'and follow it to its end' }],
  async run(context) {
    const params = await appOf(context.args.app, context);
    const deployment = await (await context.client()).restartApp({ params });
    await startedDeployment(context, deployment, context.options);
  },
});
