import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['app', 'stop'],
  summary: 'Stop an app',
  description:
    'Its hosts answer 503 until it is started or deployed. Deployments under way are cancelled; volumes, domains and settings stay.',
  arguments: { app: APP },
  options: { wait: { description: 'until nothing of it runs any more' } },
  examples: [{ line: 'davit app stop shop/production/web --wait', does: 'until its last instance has ended' }],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const query = { ...(options.wait && { wait: 'true' as const }) };
    const app = await (await client()).stopApp({ params, query });
    out.done(app, `App ${app.reference} is stopped: «davit app start ${app.reference}» brings it back.`, app.reference);
  },
});
