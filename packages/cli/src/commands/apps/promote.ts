import { APP_FIRST, appOf, referenceOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT, startedDeployment } from '../../progress/started-deployment.ts';

export const command = defineCommand({
  path: ['app', 'promote'],
  summary: 'Deploy the live release of another app (promote)',
  description:
    'Deploys the exact image of the source app to the target app. The target app keeps its own settings and variables.',
  arguments: {
    app: { ...APP_FIRST, description: 'target app, as project/environment/app; "." means the app in davit.yaml' },
  },
  options: {
    from: {
      value: 'app',
      description: 'source app, as project/environment/app (default: the app of the same name in staging)',
    },
    noWait: NO_WAIT,
  },
  examples: [
    {
      line: 'davit app promote shop/production/web',
      does: 'Deploy the live release of `shop/staging/web` to `shop/production/web`',
    },
    {
      line: 'davit app promote shop/production/web --from shop/canary/web',
      does: 'Deploy the live release of an app in another environment',
    },
  ],
  async run(context) {
    const params = await appOf(context.args.app, context);
    const { from } = context.options;
    const source = from === undefined ? { ...params, environment: 'staging' } : await appOf(from, context);
    const body = { from: referenceOf(source) };
    const answer = await (await context.client()).deployApp({ params, body });
    /*
     * This `if` is necessary only for TypeScript. Without `dry_run`, the response is a deployment, which always has an
     * `id`.
     */
    if ('id' in answer) await startedDeployment(context, answer, context.options);
  },
});
