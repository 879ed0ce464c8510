import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT, startedDeployment } from '../../progress/started-deployment.ts';
import { DRY_RUN, dryRunQuery, isPlan, showPlan } from '../../views/deploy-plan.ts';

export const command = defineCommand({
  path: ['app', 'deploy'],
  summary: 'Deploy a release of an app',
  description:
    'Starts replicas of the release, waits until they are healthy, and then sends all requests to them. The command waits until the deployment is finished. The exit code is 0 only if the new release is live. Ctrl-C does not stop the deployment.',
  arguments: { app: APP },
  options: {
    tag: {
      short: 't',
      value: 'tag',
      description: 'tag of the image (default: the pinned tag, or the tag of the live release)',
    },
    from: { value: 'app', description: 'deploy the live image of another app, given as project/environment/app' },
    noWait: NO_WAIT,
    dryRun: DRY_RUN,
  },
  examples: [
    { line: 'davit app deploy shop/production/web --tag v42', does: 'Deploy a tag and follow the deployment' },
    { line: 'davit deploy --tag v42 --no-wait', does: 'Deploy the app in davit.yaml in the background' },
    {
      line: 'davit deploy shop/production/web --from shop/staging/web',
      does: 'Deploy the image that is live in `staging`',
    },
  ],
  async run(context) {
    const { client, out, options } = context;
    const params = await appOf(context.args.app, context);
    const body = {
      ...(options.tag !== undefined && { tag: options.tag }),
      ...(options.from !== undefined && { from: options.from }),
    };
    const answer = await (await client()).deployApp({ params, query: dryRunQuery(options), body });
    if (isPlan(answer)) showPlan(out, answer);
    else await startedDeployment(context, answer, options);
  },
});
