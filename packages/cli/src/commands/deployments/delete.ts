import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['deployment', 'delete'],
  summary: 'Delete the record of a deployment',
  description: 'The record of one that has ended, and its image: it cannot be gone back to any more. Not the live one.',
  arguments: { app: APP_FIRST, deployment: { description: 'its number' } },
  examples: [{ line: 'davit deployment delete shop/production/web 42', does: 'asks for its number first' }],
  async run(context) {
    const { client, out, ask, globals, args } = context;
    const params = { ...(await appOf(args.app, context)), deployment: args.deployment };
    const what = `This forgets deployment ${args.deployment}, which cannot be gone back to any more`;
    await confirm({ what, name: args.deployment }, { ask, yes: globals.yes });
    await (await client()).deleteDeployment({ params });
    out.done(null, `Deployment ${args.deployment} is forgotten.`);
  },
});
