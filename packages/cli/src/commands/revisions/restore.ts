import { doneOf } from '@davit/api';
import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { followDeploy } from '../../progress/follow-deploy.ts';

export const command = defineCommand({
  path: ['revision', 'restore'],
  summary: 'Restore the settings and variables of a revision',
  description: 'It makes a new revision. Volumes, domains and TCP ports are no part of it.',
  arguments: { app: APP_FIRST, revision: { description: 'its number' } },
  options: { deploy: { description: 'deploy it at once, and follow it' } },
  examples: [{ line: 'davit revision restore shop/production/web 7 --deploy', does: 'as it was, live' }],
  async run(context) {
    const { client, out, args, options } = context;
    const params = { ...(await appOf(args.app, context)), revision: args.revision };
    const query = { ...(options.deploy && { deploy: 'true' as const }) };
    const restored = doneOf(await (await client()).restoreRevision({ params, query }));
    for (const { key, source } of restored.not_restored) {
      out.note(`${key} was not there then, and stays: it is the ${source}’s to take away.`, 'yellow');
    }
    if (restored.deployment !== null) await followDeploy(context, restored.deployment);
    const waits = restored.app.pending_changes ? ' It waits for a deploy.' : '';
    out.done(
      restored,
      `Revision ${args.revision} is back as revision ${restored.app.revision}.${waits}`,
      restored.app.revision,
    );
  },
});
