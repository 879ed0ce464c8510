import { count, doneOf } from '@davit/api';
import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { withScaleDeployment } from '../../progress/scale-deployment.ts';
import { NO_WAIT, startedDeployment } from '../../progress/started-deployment.ts';

export const command = defineCommand({
  path: ['app', 'scale'],
  summary: 'Change the number of replicas of an app',
  description:
    'Deploys the live release with the new number of replicas. For an app that is stopped or was never deployed, the change takes effect at its next start or deployment. The command `davit up` keeps this number, unless davit.yaml contains another one.',
  arguments: { app: APP_FIRST, replicas: { description: 'number of replicas' } },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit app scale shop/production/web 3', does: 'Run three replicas of an app' }],
  async run(context) {
    const { client: connect, out, args, options } = context;
    const params = await appOf(args.app, context);
    const scale = wholeNumber(args.replicas, 'number of replicas');
    const client = await connect();
    const { answer, started } = await withScaleDeployment(client, params, () =>
      client.patchApp({ params, body: { scale } }),
    );
    const app = doneOf(answer);
    const name = 'reference' in app ? app.reference : app.app;
    if (started !== null) return startedDeployment(context, started, options);
    out.done(app, `App ${name} has ${count(scale, 'replica')}; no deployment was necessary.`, name);
  },
});
