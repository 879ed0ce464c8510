import { type Client, doneOf } from '@davit/api';
import { APP_FIRST, type AppParams, appOf } from '../../arguments/app.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { count } from '../../output/words.ts';
import { NO_WAIT, startedDeployment } from '../../progress/started-deployment.ts';

export const command = defineCommand({
  path: ['app', 'scale'],
  summary: 'Change the number of replicas of an app',
  description:
    'Deploys the live release with the new number of replicas. For an app that is stopped or was never deployed, the change takes effect at its next start or deployment.',
  arguments: { app: APP_FIRST, replicas: { description: 'number of replicas' } },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit app scale shop/production/web 3', does: 'Run three replicas of an app' }],
  async run(context) {
    const { client: connect, out, args, options } = context;
    const params = await appOf(args.app, context);
    const scale = wholeNumber(args.replicas, 'number of replicas');
    const client = await connect();
    const before = await newestDeployment(client, params);
    const app = doneOf(await client.patchApp({ params, body: { scale } }));
    const name = 'reference' in app ? app.reference : app.app;
    // The response contains the app and no deployment, because the instance starts the deployment automatically.
    const started = await newestDeployment(client, params);
    const isNew = started !== undefined && started.id !== before?.id;
    if (isNew && started.trigger.kind === 'scale') return startedDeployment(context, started, options);
    out.done(app, `App ${name} has ${count(scale, 'replica')}; no deployment was necessary.`, name);
  },
});

async function newestDeployment(client: Client, params: AppParams) {
  const [newest] = await client.listDeployments({ params, query: { limit: '1' } });
  return newest;
}
