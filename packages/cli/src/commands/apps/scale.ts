import { doneOf } from '@davit/api';
import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { count } from '../../output/words.ts';
import { NO_WAIT, startedDeployment } from '../../progress/started-deployment.ts';

/** A push can start another deployment before the list is read, so the newest deployment is not enough. */
const RECENT = '10';

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
    const [newest] = await client.listDeployments({ params, query: { limit: '1' } });
    const app = doneOf(await client.patchApp({ params, body: { scale } }));
    const name = 'reference' in app ? app.reference : app.app;
    // The response contains the app and no deployment, because the instance starts the deployment automatically.
    const recent = await client.listDeployments({ params, query: { limit: RECENT } });
    const started = recent.find(({ id, trigger }) => id > (newest?.id ?? 0) && trigger.kind === 'scale');
    if (started !== undefined) return startedDeployment(context, started, options);
    out.done(app, `App ${name} has ${count(scale, 'replica')}; no deployment was necessary.`, name);
  },
});
