import { doneOf } from '@davit/api';
import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { followDeploy } from '../../progress/follow-deploy.ts';
import { withScaleDeployment } from '../../progress/scale-deployment.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';

export const command = defineCommand({
  path: ['revision', 'restore'],
  summary: 'Restore the settings and variables of a revision',
  description:
    'Creates a new revision. Volumes, domains and TCP ports do not change, because they are not part of a revision. If the number of replicas changes, or with --deploy, Davit deploys the app, and the command waits until the deployment is finished.',
  arguments: { app: APP_FIRST, revision: { description: 'number of the revision (see `davit revision list`)' } },
  options: { deploy: { description: 'deploy the restored revision' }, noWait: NO_WAIT },
  examples: [{ line: 'davit revision restore shop/production/web 7 --deploy', does: 'Restore and deploy revision 7' }],
  async run(context) {
    const { client: connect, out, args, options } = context;
    const app = await appOf(args.app, context);
    const params = { ...app, revision: args.revision };
    const query = { ...(options.deploy && { deploy: 'true' as const }) };
    const client = await connect();
    const { answer, started } = await withScaleDeployment(client, app, () => client.restoreRevision({ params, query }));
    const restored = doneOf(answer);
    for (const { key, source } of restored.not_restored) {
      out.note(`${key} did not exist in this revision. It stays, because it is set for the ${source}.`, 'yellow');
    }
    const deployment = restored.deployment ?? started;
    if (deployment !== null && !options.noWait) await followDeploy(context, deployment);
    const waits =
      restored.deployment === null && restored.app.pending_changes
        ? ' Deploy the app for the change to take effect.'
        : '';
    const left =
      deployment !== null && options.noWait ? ` Deployment ${deployment.id} continues in the background.` : '';
    out.done(
      restored,
      `Restored revision ${args.revision} as revision ${restored.app.revision}.${waits}${left}`,
      restored.app.revision,
    );
  },
});
