import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['volume', 'add'],
  summary: 'Add a volume to an app',
  description:
    'Takes effect with the next deploy. An app with a volume runs one instance, and its deploys stop the old release before the new one starts.',
  arguments: { app: APP_FIRST, path: { description: 'where the container finds it, such as /var/lib/data' } },
  options: { adopt: { value: 'name', description: 'a kept volume to use instead of a new, empty one' } },
  examples: [{ line: 'davit volume add shop/production/db /var/lib/postgresql/data', does: 'an empty one' }],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const body = { path: args.path, ...(options.adopt !== undefined && { adopt: options.adopt }) };
    const volume = await (await client()).addVolume({ params, body });
    out.done(volume, `Volume ${volume.id} is at ${volume.path} from the next deploy on.`, volume.id);
  },
});
