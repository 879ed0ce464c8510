import { APP, appOf } from '../../arguments/app.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT, startedDeployment } from '../../progress/started-deployment.ts';
import { DRY_RUN, dryRunQuery, isPlan, showPlan } from '../../views/deploy-plan.ts';

export const command = defineCommand({
  path: ['app', 'rollback'],
  summary: 'Roll back an app to an earlier release',
  description:
    'Deploys the exact image, settings and variables of an earlier successful deployment. No requests are lost during the rollback.',
  arguments: { app: APP },
  options: {
    to: {
      value: 'deployment',
      description: 'ID of the deployment to restore (default: the previously live deployment)',
    },
    noWait: NO_WAIT,
    dryRun: DRY_RUN,
  },
  examples: [
    { line: 'davit app rollback shop/production/web', does: 'Roll back to the previous release' },
    { line: 'davit rollback --to 41', does: 'Roll back the app in davit.yaml to deployment 41' },
  ],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const body = { ...(options.to !== undefined && { deployment: wholeNumber(options.to, 'deployment') }) };
    const answer = await (await client()).rollbackApp({ params, query: dryRunQuery(options), body });
    if (isPlan(answer)) showPlan(out, answer);
    else await startedDeployment(context, answer, options);
  },
});
