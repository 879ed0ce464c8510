import { doneOf, plannedOf } from '@davit/api';
import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { changeOptions } from '../../progress/change-options.ts';
import { withScaleDeployment } from '../../progress/scale-deployment.ts';
import { startedDeployment } from '../../progress/started-deployment.ts';
import { appFields } from '../../views/app.ts';
import { changeQuery, showPlanned } from '../../views/deploy-plan.ts';
import { SETTINGS, settingsPatch } from './settings.ts';

export const command = defineCommand({
  path: ['app', 'set'],
  summary: 'Change settings of an app',
  description:
    'Changes only the settings that you specify. The number of replicas and the limits take effect immediately. All other settings take effect with the next deployment, or immediately with --deploy. If the change starts a deployment, the command waits until the deployment is finished. Some settings have no option: set them in davit.yaml.',
  arguments: { app: APP_FIRST },
  options: {
    ...SETTINGS,
    ...changeOptions('deploy the change'),
  },
  examples: [
    { line: 'davit app set shop/production/web --memory 512m --cpu 1', does: 'Set the memory and CPU limits' },
    { line: 'davit app set . --health-path /healthz --deploy', does: 'Change the health check and deploy' },
    { line: 'davit app set . --port 3000 --dry-run', does: 'Show the effects of a new port without saving the port' },
    { line: 'davit app set shop/production/web --tag none', does: 'Remove the pinned tag' },
  ],
  async run(context) {
    const { client: connect, out, args, options } = context;
    const body = settingsPatch(options);
    if (Object.keys(body).length === 0) {
      throw new CliError('usage', 'Nothing to change: specify a setting, such as --port 3000.');
    }
    const params = await appOf(args.app, context);
    const query = changeQuery(options);
    const client = await connect();
    if (options.dryRun) return showPlanned(out, plannedOf(await client.patchApp({ params, query, body })));
    const { answer, started } = await withScaleDeployment(client, params, () =>
      client.patchApp({ params, query, body }),
    );
    const done = doneOf(answer);
    const deployment = 'reference' in done ? started : done;
    if (deployment !== null) return startedDeployment(context, deployment, options);
    if ('reference' in done) out.record(done, appFields(done), done.reference);
  },
});
