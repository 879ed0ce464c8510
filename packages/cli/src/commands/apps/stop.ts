import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['app', 'stop'],
  summary: 'Stop an app',
  description:
    'The hosts of the app answer with status 503 until you start or deploy the app. Running deployments are canceled. Volumes, domains and settings are kept.',
  arguments: { app: APP },
  options: { wait: { description: 'wait until all replicas have stopped' } },
  examples: [{ line: 'davit app stop shop/production/web --wait', does: 'Stop an app and wait' }],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const query = { ...(options.wait && { wait: 'true' as const }) };
    const app = await (await client()).stopApp({ params, query });
    out.done(app, `Stopped app ${app.reference}. Start it again: davit app start ${app.reference}`, app.reference);
  },
});
