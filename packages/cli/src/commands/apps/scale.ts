import { doneOf } from '@davit/api';
import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { count } from '../../output/words.ts';

export const command = defineCommand({
  path: ['app', 'scale'],
  summary: 'Change the number of replicas of an app',
  description:
    'Davit immediately deploys the live release with the new number of replicas. For a stopped app, the change takes effect when the app starts.',
  arguments: { app: APP_FIRST, replicas: { description: 'number of replicas' } },
  examples: [{ line: 'davit app scale shop/production/web 3', does: 'Run three replicas of an app' }],
  async run(context) {
    const { client, out, args } = context;
    const params = await appOf(args.app, context);
    const scale = wholeNumber(args.replicas, 'number of replicas');
    // The response contains the app and no deployment, because the instance starts the deployment automatically.
    const app = doneOf(await (await client()).patchApp({ params, body: { scale } }));
    const name = 'reference' in app ? app.reference : app.app;
    out.done(app, `Scaling app ${name} to ${count(scale, 'replica')}. Show the replicas: davit app get ${name}`, name);
  },
});
