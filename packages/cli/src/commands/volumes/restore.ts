import { defineCommand } from '../../declaration/command.ts';
import { volumeState } from '../../views/volume.ts';

export const command = defineCommand({
  path: ['volume', 'restore'],
  summary: 'Restore a volume from the trash',
  description:
    'The next deployment of the app mounts the restored volume. If the app was deleted, another app can attach the restored volume. Required role: admin.',
  arguments: { volume: { description: 'ID of the volume (see `davit volume list`)' } },
  examples: [{ line: 'davit volume restore 3', does: 'Restore volume 3' }],
  async run({ client, out, args }) {
    const volume = await (await client()).restoreVolume({ params: { volume: args.volume } });
    out.done(volume, `Restored volume ${volume.id} (${volumeState(volume)}).`, volume.id);
  },
});
