import { doneOf } from '@davit/api';
import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { count } from '../../output/words.ts';

export const command = defineCommand({
  path: ['app', 'scale'],
  summary: 'Change the number of replicas of an app',
  description: 'Acts at once, by a deployment of what is live. In a stopped app it acts at its start.',
  arguments: { app: APP_FIRST, instances: { description: 'how many' } },
  examples: [{ line: 'davit app scale shop/production/web 3', does: 'three instances' }],
  async run(context) {
    const { client, out, args } = context;
    const params = await appOf(args.app, context);
    const scale = wholeNumber(args.instances, 'number of instances');
    // The instance starts the deployment itself, so the answer is the app.
    const app = doneOf(await (await client()).patchApp({ params, body: { scale } }));
    const name = 'reference' in app ? app.reference : app.app;
    out.done(app, `App ${name} is to run ${count(scale, 'instance')}: «davit app get ${name}» shows them.`, name);
  },
});
