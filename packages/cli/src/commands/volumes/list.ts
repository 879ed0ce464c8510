import type { AppVolume, Volume } from '@davit/api';
import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { bytes, minute } from '../../output/words.ts';

export const command = defineCommand({
  path: ['volume', 'list'],
  summary: 'List volumes of an app, or all volumes',
  description: 'Without an app also those whose app was deleted, and those in the trash.',
  arguments: { app: { ...APP, description: 'an app, as project/environment/app; absent: of all' } },
  options: { sizes: { description: 'measure them, which may take seconds' } },
  examples: [
    { line: 'davit volume list --sizes', does: 'everything that is kept' },
    { line: 'davit volume list shop/production/db', does: 'of one app' },
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
        { header: 'state', value: (one) => ('state' in one ? stateOf(one) : 'used') },
        { header: 'size', value: ({ size_bytes }) => (size_bytes == null ? null : bytes(size_bytes)), align: 'right' },
        { header: 'name', value: ({ name }) => name },
      ],
      id: ({ id }) => id,
      empty: 'There is no volume: give an app one with «davit volume add».',
    });
  },
});

function stateOf({ state, expires_at }: Volume): string {
  return expires_at === null ? state : `${state} until ${minute(expires_at)}`;
}
