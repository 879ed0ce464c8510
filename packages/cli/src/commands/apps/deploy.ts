import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT, startedDeployment } from '../../progress/started-deployment.ts';
import { DRY_RUN, dryRunQuery, isPlan, showPlan } from '../../views/deploy-plan.ts';

export const command = defineCommand({
  path: ['app', 'deploy'],
  summary: 'Deploy a release of an app',
  description:
    'Starts the release beside what is live, proves that it answers, and moves the traffic. The command follows it to its end and ends with 0 only when the traffic has moved. Ctrl-C leaves, and the deploy goes on.',
  arguments: { app: APP },
  options: {
    tag: { short: 't', value: 'tag', description: 'the image’s tag; absent: the pin, else what is live' },
    from: { value: 'app', description: 'exactly the image that is live in this other app' },
    noWait: NO_WAIT,
    dryRun: DRY_RUN,
  },
  examples: [
    { line: 'davit app deploy shop/production/web --tag v42', does: 'and follow it to its end' },
    { line: 'davit deploy --tag v42 --no-wait', does: 'the app of davit.yaml, in the background' },
    { line: 'davit deploy shop/production/web --from shop/staging/web', does: 'promote one app' },
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
