import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['release', 'delete'],
  summary: 'Delete a release from the registry',
  description: 'The tag alone: the image stays as long as it can be gone back to. Not the live one.',
  arguments: { app: APP_FIRST, tag: { description: 'its tag' } },
  examples: [{ line: 'davit release delete shop/production/web v7', does: 'asks for the tag first' }],
  async run(context) {
    const { client, out, ask, globals, args } = context;
    const params = { ...(await appOf(args.app, context)), tag: args.tag };
    const api = await client();
    await api.getRelease({ params });
    await confirm({ what: `This deletes the release ${args.tag}`, name: args.tag }, { ask, yes: globals.yes });
    await api.deleteRelease({ params });
    out.done(null, `Release ${args.tag} is deleted.`);
  },
});
