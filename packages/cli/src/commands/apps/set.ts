import { doneOf, plannedOf } from '@davit/api';
import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { followDeploy } from '../../progress/follow-deploy.ts';
import { appFields } from '../../views/app.ts';
import { changeQuery, DRY_RUN_OF_CHANGE, showPlanned } from '../../views/deploy-plan.ts';
import { SETTINGS, settingsPatch } from './settings.ts';

export const command = defineCommand({
  path: ['app', 'set'],
  summary: 'Change settings of an app',
  description:
    'Changes only the settings that you specify. The number of replicas and the limits take effect immediately. All other settings take effect with the next deployment, or with --deploy. Some settings have no option: set them in davit.yaml.',
  arguments: { app: APP_FIRST },
  options: {
    ...SETTINGS,
    deploy: { description: 'deploy the change and follow the deployment' },
    dryRun: DRY_RUN_OF_CHANGE,
  },
  examples: [
    { line: 'davit app set shop/production/web --memory 512m --cpu 1', does: 'Set the memory and CPU limits' },
    { line: 'davit app set . --health-path /healthz --deploy', does: 'Change the health check and deploy' },
    { line: 'davit app set . --port 3000 --dry-run', does: 'Show the effects of a new port without saving the port' },
    { line: 'davit app set shop/production/web --tag none', does: 'Remove the pinned tag' },
  ],
  async run(context) {
    const { client, out, args, options } = context;
    const body = settingsPatch(options);
    if (Object.keys(body).length === 0) {
      throw new CliError('usage', 'Nothing to change: specify a setting, such as --port 3000.');
    }
    const params = await appOf(args.app, context);
    const query = changeQuery(options);
    const given = await (await client()).patchApp({ params, query, body });
    if (options.dryRun) return showPlanned(out, plannedOf(given));
    const answer = doneOf(given);
    if ('reference' in answer) out.record(answer, appFields(answer), answer.reference);
    else out.done(await followDeploy(context, answer), `Deployment ${answer.id} has deployed the change.`, answer.id);
  },
});
