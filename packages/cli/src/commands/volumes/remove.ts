import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['volume', 'remove'],
  summary: 'Move a volume of an app to the trash',
  description:
    'The app loses the volume with its next deployment. You can restore the volume from the trash until Davit deletes it permanently, by default after 7 days. Required role: admin.',
  arguments: { app: APP_FIRST, volume: { description: 'ID of the volume (see `davit volume list`)' } },
  examples: [{ line: 'davit volume remove shop/production/db 3', does: 'Remove a volume after confirmation' }],
  async run(context) {
    const { client, out, ask: prompter, globals, args } = context;
    const params = { ...(await appOf(args.app, context)), volume: args.volume };
    const api = await client();
    const { name, path } = await api.getAppVolume({ params });
    await confirm(
      { what: `This removes the volume at ${path} from the app and moves it, with its data, to the trash`, name },
      { ask: prompter, yes: globals.yes },
    );
    const volume = await api.removeVolume({ params, query: { confirm: name } });
    out.done(volume, `Volume ${volume.id} is in the trash. Restore it: davit volume restore ${volume.id}`, volume.id);
  },
});
