import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['release', 'delete'],
  summary: 'Delete a release from the registry',
  description:
    'Deletes only the image tag of the release. Davit keeps the image as long as you can roll back to the release. You cannot delete the live release.',
  arguments: { app: APP_FIRST, tag: { description: 'tag of the release' } },
  examples: [
    { line: 'davit release delete shop/production/web v7', does: 'Delete the release `v7` after confirmation' },
  ],
  async run(context) {
    const { client, out, ask: prompter, globals, args } = context;
    const params = { ...(await appOf(args.app, context)), tag: args.tag };
    const api = await client();
    await api.getRelease({ params });
    await confirm(
      { what: `This deletes the release ${args.tag}`, name: args.tag },
      { ask: prompter, yes: globals.yes },
    );
    await api.deleteRelease({ params });
    out.done(null, `Deleted release ${args.tag}.`);
  },
});
