import { type AppVolume, bytes, type Volume } from '@davit/api';
import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { minute } from '../../output/words.ts';
import { volumeState } from '../../views/volume.ts';

export const command = defineCommand({
  path: ['volume', 'list'],
  summary: 'List volumes of an app, or all volumes',
  description: 'If you do not specify an app, the list also includes volumes of deleted apps and volumes in the trash.',
  arguments: { app: { ...APP, description: 'app, as project/environment/app (default: all apps)' } },
  options: { sizes: { description: 'show the size of each volume; the command takes some seconds longer' } },
  examples: [
    { line: 'davit volume list --sizes', does: 'List all volumes with their sizes' },
    { line: 'davit volume list shop/production/db', does: 'List the volumes of one app' },
  ],
  async run(context) {
    const { client, out, args, options } = context;
    const query = { ...(options.sizes && { sizes: 'true' as const }) };
    const api = await client();
    const volumes: (AppVolume | Volume)[] =
      args.app === undefined
        ? await api.listVolumes({ query })
        : await api.listAppVolumes({ params: await appOf(args.app, context), query });
    out.list(volumes, {
      columns: [
        { header: 'volume', value: ({ id }) => id, align: 'right', style: () => 'bold' },
        { header: 'app', value: (one) => ('app' in one ? one.app : (args.app ?? null)) },
        { header: 'path', value: ({ path }) => path },
        { header: 'state', value: (one) => ('state' in one ? stateOf(one) : volumeState({ state: 'used' })) },
        { header: 'size', value: ({ size_bytes }) => (size_bytes == null ? null : bytes(size_bytes)), align: 'right' },
        { header: 'name', value: ({ name }) => name },
      ],
      id: ({ id }) => id,
      empty: 'No volumes found. Add a volume to an app: davit volume add <app> <path>',
    });
  },
});

function stateOf(volume: Volume): string {
  const state = volumeState(volume);
  return volume.expires_at === null ? state : `${state} until ${minute(volume.expires_at)}`;
}
