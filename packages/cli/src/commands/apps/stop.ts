import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { untilDone } from '../../progress/until-done.ts';

export const command = defineCommand({
  path: ['app', 'stop'],
  summary: 'Stop an app',
  description:
    'Requests to the app get status 503 until you start or deploy the app. Davit cancels running deployments. Davit keeps volumes, domains and settings. The command waits until all replicas have stopped.',
  arguments: { app: APP },
  options: { noWait: NO_WAIT },
  examples: [
    { line: 'davit app stop shop/production/web', does: 'Stop an app and wait until its replicas have stopped' },
  ],
  async run(context) {
    const { client: connect, out, args, options } = context;
    const params = await appOf(args.app, context);
    const client = await connect();
    const stopping = await client.stopApp({ params });
    const { reference } = stopping;
    const left = `The replicas of app ${reference} stop in the background. Show them: davit app get ${reference}`;
    if (options.noWait) return out.done(stopping, left, reference);
    const app = await untilDone(context, {
      events: { kinds: 'app,instance', app: reference },
      read: (signal) => client.getApp({ params, signal }),
      isDone: ({ status, replicas }) => status !== 'stopped' || replicas.length === 0,
      left,
    });
    if (app.status !== 'stopped')
      throw new CliError('conflict', `App ${reference} was started again before all its replicas had stopped.`);
    out.done(app, `Stopped app ${reference}. Start it again: davit app start ${reference}`, reference);
  },
});
