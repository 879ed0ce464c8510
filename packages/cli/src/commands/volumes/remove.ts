import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['volume', 'remove'],
  summary: 'Move a volume of an app to the trash',
  description:
    'The next deploy runs without it. Until its days in the trash are over it can be brought back. Admins only.',
  arguments: { app: APP_FIRST, volume: { description: 'its number' } },
  examples: [{ line: 'davit volume remove shop/production/db 3', does: 'asks for its name first' }],
  async run(context) {
    const { client, out, ask, globals, args } = context;
    const params = { ...(await appOf(args.app, context)), volume: args.volume };
    const api = await client();
    const { name, path } = await api.getAppVolume({ params });
    await confirm({ what: `This takes ${path} with its data from the app`, name }, { ask, yes: globals.yes });
    const volume = await api.removeVolume({ params, query: { confirm: name } });
    out.done(
      volume,
      `Volume ${volume.id} is in the trash: «davit volume restore ${volume.id}» brings it back.`,
      volume.id,
    );
  },
});
