import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['app', 'stop'],
  summary: 'Stop an app',
  description:
    'Requests to the app get status 503 until you start or deploy the app. Davit cancels running deployments. Davit keeps volumes, domains and settings.',
  arguments: { app: APP },
  options: { wait: { description: 'wait until all replicas have stopped' } },
  examples: [
    { line: 'davit app stop shop/production/web --wait', does: 'Stop an app and wait until its replicas have stopped' },
  ],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const query = { ...(options.wait && { wait: 'true' as const }) };
    const app = await (await client()).stopApp({ params, query });
    out.done(app, `Stopped app ${app.reference}. Start it again: davit app start ${app.reference}`, app.reference);
  },
});
