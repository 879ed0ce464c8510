import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['volume', 'add'],
  summary: 'Add a volume to an app',
  description:
    'The change takes effect with the next deployment. An app with a volume can have only one replica. Its deployments stop the old release before the new release starts.',
  arguments: { app: APP_FIRST, path: { description: 'path of the volume in the container, such as /var/lib/data' } },
  options: {
    adopt: {
      value: 'name',
      description: 'name of a detached (unused) volume to attach, including its data (default: a new, empty volume)',
    },
  },
  examples: [{ line: 'davit volume add shop/production/db /var/lib/postgresql/data', does: 'Add a new, empty volume' }],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const body = { path: args.path, ...(options.adopt !== undefined && { adopt: options.adopt }) };
    const volume = await (await client()).addVolume({ params, body });
    out.done(
      volume,
      `Added volume ${volume.id} at ${volume.path}. The change takes effect with the next deployment.`,
      volume.id,
    );
  },
});
