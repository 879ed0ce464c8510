import { APP, appOf } from '../../arguments/app.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { NO_WAIT, startedDeployment } from '../../progress/started-deployment.ts';
import { DRY_RUN, dryRunQuery, isPlan, showPlan } from '../../views/deploy-plan.ts';

export const command = defineCommand({
  path: ['app', 'rollback'],
  summary: 'Roll back an app to an earlier release',
  description:
    'Deploys the exact image, settings and variables of an earlier successful deployment. First shows which settings and variables change. No requests are lost during the rollback.',
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
    const plan = await (await client()).rollbackApp({ params, query: dryRunQuery({ dryRun: true }), body });
    if (!isPlan(plan)) throw new CliError('failed', 'The response of the instance is not a plan. Update `davit`.');
    if (options.dryRun) return showPlan(out, plan);
    if (!out.isJson) for (const change of plan.changes) out.note(change);
    // The ID from the plan makes sure that the rollback restores the deployment that the user has just read about.
    const restored = plan.rollback_of === null ? body : { deployment: plan.rollback_of };
    const deployment = await (await client()).rollbackApp({ params, query: {}, body: restored });
    if (!isPlan(deployment)) await startedDeployment(context, deployment, options);
  },
});
