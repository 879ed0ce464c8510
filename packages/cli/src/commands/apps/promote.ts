import { APP_FIRST, appOf, referenceOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT, startedDeployment } from '../../progress/started-deployment.ts';

export const command = defineCommand({
  path: ['app', 'promote'],
  summary: 'Deploy the live release of another app (promote)',
  description:
    'Deploys the exact image of the source app to the target app. The target app keeps its own settings and variables.',
  arguments: {
    app: { ...APP_FIRST, description: 'source app, as project/environment/app; "." means the app in davit.yaml' },
  },
  options: {
    to: {
      value: 'app',
      description: 'target app, as project/environment/app (default: the app of the same name in production)',
    },
    noWait: NO_WAIT,
  },
  examples: [
    {
      line: 'davit app promote shop/staging/web',
      does: 'Deploy the live release of `staging` to `shop/production/web`',
    },
    {
      line: 'davit app promote shop/staging/web --to shop/canary/web',
      does: 'Deploy the live release to an app in another environment',
    },
  ],
  async run(context) {
    const from = await appOf(context.args.app, context);
    const to = context.options.to;
    const params = to === undefined ? { ...from, environment: 'production' } : await appOf(to, context);
    const body = { from: referenceOf(from) };
    const answer = await (await context.client()).deployApp({ params, body });
    /*
     * This `if` is necessary only for TypeScript. Without `dry_run`, the response is a deployment, which always has an
     * `id`.
     */
    if ('id' in answer) await startedDeployment(context, answer, context.options);
  },
});
