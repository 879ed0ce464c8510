import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['deployment', 'delete'],
  summary: 'Delete the record of a deployment',
  description:
    'Deletes the record of a finished deployment. Davit no longer keeps the image of this deployment, so you can no longer roll back to it. You cannot delete the live deployment.',
  arguments: { app: APP_FIRST, deployment: { description: 'ID of the deployment (see `davit deployment list`)' } },
  examples: [
    {
      line: 'davit deployment delete shop/production/web 42',
      does: 'Delete the record of deployment 42 after confirmation',
    },
  ],
  async run(context) {
    const { client, out, ask: prompter, globals, args } = context;
    const params = { ...(await appOf(args.app, context)), deployment: args.deployment };
    const what = `This deletes the record of deployment ${args.deployment}. You can no longer roll back to it`;
    await confirm({ what, name: args.deployment }, { ask: prompter, yes: globals.yes });
    await (await client()).deleteDeployment({ params });
    out.done(null, `Deleted the record of deployment ${args.deployment}.`);
  },
});
