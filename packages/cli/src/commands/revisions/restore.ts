import { doneOf } from '@davit/api';
import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { followDeploy } from '../../progress/follow-deploy.ts';

export const command = defineCommand({
  path: ['revision', 'restore'],
  summary: 'Restore the settings and variables of a revision',
  description:
    'Creates a new revision. Volumes, domains and TCP ports do not change, because they are not part of a revision.',
  arguments: { app: APP_FIRST, revision: { description: 'number of the revision (see `davit revision list`)' } },
  options: { deploy: { description: 'deploy the restored revision and follow the deployment' } },
  examples: [{ line: 'davit revision restore shop/production/web 7 --deploy', does: 'Restore and deploy revision 7' }],
  async run(context) {
    const { client, out, args, options } = context;
    const params = { ...(await appOf(args.app, context)), revision: args.revision };
    const query = { ...(options.deploy && { deploy: 'true' as const }) };
    const restored = doneOf(await (await client()).restoreRevision({ params, query }));
    for (const { key, source } of restored.not_restored) {
      out.note(`${key} did not exist in this revision. It stays, because it is set for the ${source}.`, 'yellow');
    }
    if (restored.deployment !== null) await followDeploy(context, restored.deployment);
    const waits = restored.app.pending_changes ? ' Deploy the app for the change to take effect.' : '';
    out.done(
      restored,
      `Restored revision ${args.revision} as revision ${restored.app.revision}.${waits}`,
      restored.app.revision,
    );
  },
});
